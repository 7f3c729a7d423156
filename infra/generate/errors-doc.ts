import {
  catalogue,
  errorTypes,
  type ErrorCode,
  type ErrorType,
} from "../../shared/errors/catalogue.ts";

const codes = Object.keys(catalogue) as ErrorCode[];
const types = Object.keys(errorTypes) as ErrorType[];

/** `docs/reference/errors.md`: the error catalogue for readers, a section a code. Markdown. */
export function errorsDoc(): string {
  return `${[introduction(), typesTable(), codesTable(), ...codes.map(codeSection)].join("\n\n")}\n`;
}

function introduction(): string {
  return [
    "# Errors",
    "<!-- Generated from shared/errors/catalogue.ts by `node infra/generate/main.ts`; do not edit. -->",
    "Every failed answer holds `error` with `type`, `code`, `message`, `hint`, `retryable`, `executed` and, where they apply, `server` and `details`. Decide on `code` (or `type`), never on the message.",
    "`executed` tells whether the tool may have run: `no`, `maybe` or `yes`. `retryable` is true only when the failure may pass by itself and nothing was executed, so that a repeated request cannot run a tool twice; the sections below say for which codes that can be. The JSON-RPC code is the one that the MCP endpoint answers.",
    'A tool\'s own failure is no failed request: it comes as a result with `success: false` and `status: "tool_error"`, under HTTP 200.',
  ].join("\n\n");
}

function typesTable(): string {
  const rows = types.map((type) => `| \`${type}\` | ${ancestry(type)} |`);
  return [
    "## Types",
    "Who handles a type handles the types below it as well.",
    ["| Type | Kind of |", "| --- | --- |", ...rows].join("\n"),
  ].join("\n\n");
}

function codesTable(): string {
  const rows = codes.map((code) => {
    const { type, http, retryable } = catalogue[code];
    return `| [${code}](#${code.toLowerCase()}) | \`${type}\` | ${http} | ${retryable ? "yes" : "no"} |`;
  });
  return [
    "## Codes",
    ["| Code | Type | HTTP | Retryable |", "| --- | --- | --- | --- |", ...rows].join("\n"),
  ].join("\n\n");
}

/** The types above `type`, nearest first. */
function ancestry(type: ErrorType): string {
  const parent: ErrorType | null = errorTypes[type];
  if (parent === null) return "";
  return [`\`${parent}\``, ancestry(parent)].filter((text) => text !== "").join(" < ");
}

function codeSection(code: ErrorCode): string {
  const { type, http, rpc, retryable, summary, hint } = catalogue[code];
  const above = ancestry(type);
  return [
    `## ${code}`,
    summary,
    [
      `- Type: \`${type}\`${above === "" ? "" : ` < ${above}`}`,
      `- HTTP status: ${http}`,
      `- JSON-RPC code: ${rpc}`,
      `- Retryable: ${retryable ? "yes, when nothing was executed" : "no"}`,
    ].join("\n"),
    `What to do: ${hint}`,
  ].join("\n\n");
}
