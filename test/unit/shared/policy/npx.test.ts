import { describe, expect, it } from "vitest";
import { parseNpxArgs } from "../../../../shared/policy/npx.ts";
import type { LaunchReason } from "../../../../shared/policy/reasons.ts";

const evil = "touch /tmp/tripwire";

const refused: [string[], LaunchReason, number | undefined][] = [
  // code from an option
  [["-c", evil], "option-not-allowed", 0],
  [["--call", evil], "option-not-allowed", 0],
  [[`--call=${evil}`], "option-not-allowed", 0],
  [["-yc", evil], "option-not-allowed", 0],
  [["-cy", evil], "option-not-allowed", 0],
  [["-y", "-c", evil], "option-not-allowed", 1],
  [["-p", "good", "-c", evil], "option-not-allowed", 2],
  [["-p", "good", `--call=${evil}`, "good"], "option-not-allowed", 2],
  [["--cal", evil], "option-not-allowed", 0],
  [["-C", evil, "good"], "option-not-allowed", 0],
  // shells and preloads
  [["--script-shell=/tmp/evil", "good"], "option-not-allowed", 0],
  [["--script-shell", "/tmp/evil", "good"], "option-not-allowed", 0],
  [["--shell=/tmp/evil", "good"], "option-not-allowed", 0],
  [["--shell", "/tmp/evil", "-y", "good"], "option-not-allowed", 0],
  [["--node-options=--require /tmp/evil.js", "good"], "option-not-allowed", 0],
  [["--node-arg=-r/tmp/evil.js", "good"], "option-not-allowed", 0],
  [["-n", "--require=/tmp/evil.js", "good"], "option-not-allowed", 0],
  [["--git=/tmp/evil", "git+https://evil.example/x"], "option-not-allowed", 0],
  // configuration
  [["--userconfig", "/tmp/rc", "good"], "option-not-allowed", 0],
  [["--userconfig=/tmp/rc", "good"], "option-not-allowed", 0],
  [["--globalconfig=/tmp/rc", "good"], "option-not-allowed", 0],
  [["--prefix", "/tmp/evil", "good"], "option-not-allowed", 0],
  [["--cache=/tmp/evil", "good"], "option-not-allowed", 0],
  [["--workspace=evil", "good"], "option-not-allowed", 0],
  [["--ignore-scripts=false", "good"], "option-not-allowed", 0],
  [["--no-ignore-scripts", "good"], "option-not-allowed", 0],
  [["--allow-directory=all", "./evil"], "option-not-allowed", 0],
  [["--dangerously-allow-all-scripts", "good"], "option-not-allowed", 0],
  // other registries
  [["--registry=https://evil.example", "good"], "option-not-allowed", 0],
  [["--registry", "https://evil.example", "good"], "option-not-allowed", 0],
  [["--@scope:registry=https://evil.example", "@scope/good"], "option-not-allowed", 0],
  [["--proxy=http://evil.example", "good"], "option-not-allowed", 0],
  [["--strict-ssl=false", "good"], "option-not-allowed", 0],
  [["--cafile=/tmp/ca", "good"], "option-not-allowed", 0],
  [["--_auth=x", "good"], "option-not-allowed", 0],
  // spellings
  [["-y=true", "good"], "option-not-allowed", 0],
  [["--yes=true", "good"], "option-not-allowed", 0],
  [["--Yes", "good"], "option-not-allowed", 0],
  [["-yy", "good"], "option-not-allowed", 0],
  [["-p=good", "good"], "option-not-allowed", 0],
  [["-pgood", "good"], "option-not-allowed", 0],
  [["-", "good"], "option-not-allowed", 0],
  [["---", "good"], "option-not-allowed", 0],
  [["—y", "good"], "spec-name-invalid", 0],
  // packages
  [[], "spec-missing", undefined],
  [["-y"], "spec-missing", undefined],
  [["-y", "--"], "spec-missing", undefined],
  [["-y", ""], "spec-missing", 1],
  [["-y", "--", "-c", evil], "spec-name-invalid", 2],
  [["-y", "--", "-p", "good", "good"], "spec-name-invalid", 2],
  [["-y", "good@npm:evil@1.0.0"], "spec-is-alias", 1],
  [["-y", "--package", "good@npm:evil", "good"], "spec-is-alias", 2],
  [["--package=npm:evil", "good"], "spec-is-alias", 0],
  [["-y", "./evil"], "spec-is-path", 1],
  [["-p", "/tmp/evil", "good"], "spec-is-path", 1],
  [["-y", "evil/x"], "spec-is-git", 1],
  [["-y", "https://evil.example/x.tgz"], "spec-is-url", 1],
  [["-y", "${PACKAGE}"], "spec-is-reference", 1],
  [["-y", "good@^1.0.0"], "spec-is-range", 1],
  [["-p", "good"], "bin-missing", undefined],
  [["-p"], "option-value-missing", 0],
  [["-y", "--package"], "option-value-missing", 1],
  [["--package="], "spec-missing", 0],
  [["-p", "-y", "good"], "spec-name-invalid", 1],
  [["-p", "good", "-p", "evil", "good"], "option-repeated", 2],
  [["--package=good", "--package=evil", "evil"], "option-repeated", 1],
  // programs
  [["-y", "-p", "good", "--", "sh", "-c", evil], "bin-is-interpreter", 4],
  [["-p", "good", "bash"], "bin-is-interpreter", 2],
  [["-p", "good", "BASH"], "bin-is-interpreter", 2],
  [["-p", "good", "node", "-e", "1"], "bin-is-interpreter", 2],
  [["-p", "good", "node.exe"], "bin-is-interpreter", 2],
  [["-p", "good", "node24"], "bin-is-interpreter", 2],
  [["-p", "good", "python3.12"], "bin-is-interpreter", 2],
  [["-p", "good", "env"], "bin-is-interpreter", 2],
  [["-p", "good", "npx"], "bin-is-interpreter", 2],
  [["-p", "good", "npm"], "bin-is-interpreter", 2],
  [["-p", "good", "deno"], "bin-is-interpreter", 2],
  [["-p", "good", "bun"], "bin-is-interpreter", 2],
  [["-p", "good", "xargs"], "bin-is-interpreter", 2],
  [["-p", "good", "git"], "bin-is-interpreter", 2],
  [["-y", "tsx", "/tmp/evil.ts"], "bin-is-interpreter", 1],
  [["node@24.0.0", "-e", "1"], "bin-is-interpreter", 0],
  [["npm@latest", "exec", "-c", evil], "bin-is-interpreter", 0],
  [["-p", "good", "/bin/sh"], "bin-is-path", 2],
  [["-p", "good", "./evil"], "bin-is-path", 2],
  [["-p", "good", ".."], "bin-is-path", 2],
  [["-p", "good", "a\\b"], "bin-is-path", 2],
  [["-p", "good", "${BIN}"], "bin-is-reference", 2],
  [["-p", "good", ""], "bin-missing", 2],
  [["-p", "good", "--", "-c"], "bin-name-invalid", 3],
  [["-p", "good", "a b"], "bin-name-invalid", 2],
  [["-p", "good", ".hidden"], "bin-name-invalid", 2],
  [["-p", "good", "a;id"], "bin-name-invalid", 2],
  [["-p", "good", "good@1.0.0"], "bin-name-invalid", 2],
];

describe("parseNpxArgs", () => {
  it.each(refused)("refuses %j as %s", (args, reason, index) => {
    const check = parseNpxArgs(args);
    expect(check).toMatchObject({ ok: false, reason });
    expect("index" in check ? check.index : undefined).toBe(index);
  });

  it("reads a package with the server's arguments", () => {
    expect(parseNpxArgs(["-y", "@acme/mcp@1.4.2", "--stdio", "-y"])).toEqual({
      ok: true,
      value: {
        runner: "npx",
        package: "@acme/mcp",
        version: "1.4.2",
        pinned: true,
        bin: null,
        args: ["--stdio", "-y"],
        packageIndex: 1,
        yes: true,
      },
    });
  });

  it.each([
    [["--yes", "a"], { bin: null, args: [], packageIndex: 1, yes: true }],
    [["a"], { bin: null, args: [], packageIndex: 0, yes: false }],
    [["--", "a", "--", "b"], { bin: null, args: ["--", "b"], packageIndex: 1, yes: false }],
    [["-y", "--", "a", "-c", "x"], { bin: null, args: ["-c", "x"], packageIndex: 2, yes: true }],
    [["-y", "-p", "a", "run-a"], { bin: "run-a", args: [], packageIndex: 2, yes: true }],
    [
      ["-p", "a", "-y", "--", "a.js", "-c"],
      { bin: "a.js", args: ["-c"], packageIndex: 1, yes: true },
    ],
    [
      ["--package", "a", "b", "--", "x"],
      { bin: "b", args: ["--", "x"], packageIndex: 1, yes: false },
    ],
    [["-y", "--package=a", "a", "-p"], { bin: "a", args: ["-p"], packageIndex: 1, yes: true }],
  ])("reads %j", (args, value) => {
    expect(parseNpxArgs(args)).toMatchObject({ ok: true, value: { package: "a", ...value } });
  });

  it.each([
    ";id",
    "$(id)",
    "`id`",
    "a|b",
    "a\nb",
    "${TOKEN}",
    "../x",
    "https://x.example/",
    "-c",
    "",
    "é",
  ])("hands the server's argument %j on as it is", (arg) => {
    expect(parseNpxArgs(["-y", "a@1.0.0", arg])).toMatchObject({ value: { args: [arg] } });
  });

  it.each(["serve.", "2048", "ts-node.js-dev", "ts-node2-dev", "python-language-server"])(
    "takes the program %s, which is no interpreter",
    (bin) => {
      expect(parseNpxArgs(["-p", "a", bin])).toMatchObject({ ok: true, value: { bin } });
    },
  );

  it("names an option without its value", () => {
    expect(parseNpxArgs(["--_auth=c2VjcmV0", "a"])).toMatchObject({
      message: "npx may not be given -… before the package.",
    });
    expect(parseNpxArgs(["--otp=123456", "a"])).toMatchObject({
      message: "npx may not be given --otp before the package.",
    });
  });

  it("takes a scoped package whose last part is an interpreter's name", () => {
    expect(parseNpxArgs(["-y", "@acme/python"])).toMatchObject({ ok: true });
  });
});
