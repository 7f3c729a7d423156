import type { SourceFile } from "./source-files.ts";

/** Texts that the source goes without, each with the reason. */
const banned: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(?:[:<|&(,=]|\bas)\s*any\b(?=\s*(?:[[\]>,;)=|&{]|$))/, "`any` switches checking off"],
  [/[\w)\]]!(?=[.,;)[\]])(?!==?)/, "`!` asserts what nothing has checked"],
  [/\bas unknown as\b/, "a double cast hides that two types do not fit"],
  [/\b(?:TODO|FIXME|XXX)\b/, "unfinished work belongs into an issue"],
  [/\bthrow new Error\(/, "failures are GatewayErrors with a code, our own misuse is a TypeError"],
  [/\bimport (?:type )?\{ z \} from/, "zod's `z` object cannot be shaken: import the namespace"],
  [/@ts-(?:ignore|expect-error|nocheck)/, "a silenced compiler proves nothing"],
  [/(?:oxlint|eslint)-disable(?!.*--\s\S)/, "a silenced lint rule gives its reason after `--`"],
];

/** `path:line: why` for each banned text. */
export function bannedTexts(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        banned
          .filter(([pattern]) => pattern.test(withoutStrings(line)))
          .map(([, why]) => `${path}:${index + 1}: ${why}`),
      ),
  );
}

/** Quoted text is data: a message may well end in "!". */
function withoutStrings(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}
