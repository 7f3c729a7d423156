import { describe, expect, it } from "vitest";
import { bannedTexts } from "../support/source-rules.ts";
import { sourceFiles } from "../support/source-files.ts";

describe("the source", () => {
  it("holds no any, no !, no double cast, no TODO, no raw Error and nothing silenced without a reason", () => {
    const files = sourceFiles("{shared,functions,cli,infra}/**/*.{ts,mjs}");
    expect(files.length).toBeGreaterThan(50);
    expect(bannedTexts(files)).toEqual([]);
  });

  it.each([
    "const a: any = 1;",
    "function f(a: string, b: any) {}",
    "const a = b as any;",
    "const a: Map<string, any> = c;",
    "const a: any[] = [];",
    "type A = string | any;",
    "const a = list[0]!;",
    "const a = list[0]!.name;",
    "call(a!, b);",
    "const a = b as unknown as C;",
    "// TODO: later",
    'throw new Error("no");',
    "// @ts-expect-error",
    "// oxlint-disable-next-line no-console",
  ])("shows a planted fault: %s", (text) => {
    expect(bannedTexts([{ path: "a.ts", text }])).toHaveLength(1);
  });

  it.each([
    "// answers any of them",
    "if (a !== b || !c) return;",
    'const message = "Done!";',
    "// any port",
    'throw new TypeError("no");',
    "const anyOf: readonly string[] = [];",
    "// oxlint-disable-next-line no-console -- the command line's own output",
  ])("lets plain code pass: %s", (text) => {
    expect(bannedTexts([{ path: "a.ts", text }])).toEqual([]);
  });
});
