import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePythonSpec, pythonName } from "../../../../shared/policy/python-spec.ts";
import type { LaunchReason } from "../../../../shared/policy/reasons.ts";
import { parseUvxArgs } from "../../../../shared/policy/uvx.ts";
import { runs } from "../../../support/property-runs.ts";

const refusedSpecs: [string, LaunchReason][] = [
  ["", "spec-missing"],
  [".", "spec-is-path"],
  ["./evil", "spec-is-path"],
  ["/tmp/evil", "spec-is-path"],
  ["~/evil", "spec-is-path"],
  ["evil.whl", "spec-is-path"],
  ["evil.tar.gz", "spec-is-path"],
  ["file:///tmp/evil", "spec-is-path"],
  ["name @ file:///tmp/evil", "spec-is-path"],
  ["C:\\evil", "spec-is-path"],
  ["git+https://github.com/evil/x", "spec-is-git"],
  ["git+ssh://git@evil.example/x", "spec-is-git"],
  ["name @ git+https://evil.example/x", "spec-is-git"],
  ["name@git+https://evil.example/x", "spec-is-git"],
  ["hg+https://evil.example/x", "spec-is-git"],
  ["evil/x", "spec-is-git"],
  ["https://evil.example/x.whl", "spec-is-url"],
  ["name @ https://evil.example/x.whl", "spec-is-url"],
  ["name@https://evil.example/x.whl", "spec-is-url"],
  ["${NAME}", "spec-is-reference"],
  ["name==${VERSION}", "spec-is-reference"],
  ["name=={{VERSION}}", "spec-is-placeholder"],
  ["name==$VERSION", "spec-is-placeholder"],
  ["name>=1.0", "spec-is-range"],
  ["name~=1.0", "spec-is-range"],
  ["name!=1.0", "spec-is-range"],
  ["name<2", "spec-is-range"],
  ["name===1.0", "spec-is-range"],
  ["name==1.*", "spec-is-range"],
  ["name==1.0,<2", "spec-is-range"],
  ["name@>=1.0", "spec-is-range"],
  ["name[a]>=1", "spec-is-range"],
  ["name[extra]>=1", "spec-is-range"],
  ["name==", "spec-is-range"],
  ["name == 1.0", "spec-is-range"],
  ["-name", "spec-name-invalid"],
  ["name-", "spec-name-invalid"],
  ["_name", "spec-name-invalid"],
  ["name[", "spec-name-invalid"],
  ["name[]", "spec-name-invalid"],
  ["name[a,]", "spec-name-invalid"],
  ["name[a b]", "spec-name-invalid"],
  ["name; python_version<'4'", "spec-name-invalid"],
  ["na me", "spec-name-invalid"],
  ["nаme", "spec-name-invalid"],
  ["@scope/name", "spec-name-invalid"],
  ["a".repeat(300), "spec-name-invalid"],
  ["name@next", "spec-version-invalid"],
  ["name@", "spec-is-range"],
  ["name@1.0@2.0", "spec-version-invalid"],
  ["name==latest", "spec-version-invalid"],
  ["name==1.0;id", "spec-version-invalid"],
  ["name==1.0 --index", "spec-version-invalid"],
];

describe("parsePythonSpec", () => {
  it.each([
    ["mcp-server-fetch", { package: "mcp-server-fetch", extras: [], version: null, pinned: false }],
    ["awslabs.x@latest", { package: "awslabs.x", extras: [], version: "latest", pinned: false }],
    ["name==1.2.3", { package: "name", extras: [], version: "1.2.3", pinned: true }],
    ["name@0.0.1a4", { package: "name", extras: [], version: "0.0.1a4", pinned: true }],
    ["semble[mcp]", { package: "semble", extras: ["mcp"], version: null, pinned: false }],
    [
      "n[a,b-c]==2!1.0rc1.post2.dev3+x.1",
      { package: "n", extras: ["a", "b-c"], version: "2!1.0rc1.post2.dev3+x.1", pinned: true },
    ],
  ])("reads %s", (text, value) => {
    expect(parsePythonSpec(text)).toEqual({ ok: true, value });
  });

  it.each([
    "10!1.0",
    "1.0.alpha.1",
    "1.0_b_12",
    "1.0-rc-2",
    "1.0rc12",
    "1.0-12",
    "1.0.post.12",
    "1.0_rev_3",
    "1.0-r-4",
    "1.0post12",
    "1.0.dev.12",
    "1.0_dev_3",
    "1.0-dev-4",
    "1.0dev12",
    "1.0+abc.def",
    "1.0+ab12-cd34_ef56",
  ])("takes the version %s, as pip does", (version) => {
    const value = { package: "name", extras: [], version, pinned: true };
    expect(parsePythonSpec(`name==${version}`)).toEqual({ ok: true, value });
  });

  it("takes names of 214 and versions of 128 characters, and none longer", () => {
    const version = `1.${"0".repeat(126)}`;
    expect(parsePythonSpec("a".repeat(214)).ok).toBe(true);
    expect(parsePythonSpec("a".repeat(215)).ok).toBe(false);
    expect(parsePythonSpec(`a==${version}`).ok).toBe(true);
    expect(parsePythonSpec(`a==${version}0`)).toMatchObject({ reason: "spec-version-invalid" });
  });

  it.each(refusedSpecs)("refuses %j as %s", (text, reason) => {
    expect(parsePythonSpec(text)).toMatchObject({ ok: false, reason });
  });

  it("accepts nothing that could name another source, whatever the text", () => {
    const pieces = "a 1 . - _ == @ [ ] , : / git+ https:// ~ > latest ; # % + ! *".split(" ");
    const text = fc.array(fc.constantFrom(...pieces, " "), { maxLength: 8 });
    fc.assert(
      fc.property(text, (parts) => {
        const spec = `a${parts.join("")}`;
        return (
          !parsePythonSpec(spec).ok || /^[\w.-]+(?:\[[\w.,-]+\])?(?:(?:==|@)[\w.!+-]+)?$/.test(spec)
        );
      }),
      { numRuns: runs(20_000) },
    );
  });
});

describe("pythonName", () => {
  it.each(["Foo_Bar", "foo.bar", "FOO--bar", "foo-_.bar"])("spells %s as foo-bar", (name) => {
    expect(pythonName(name)).toBe("foo-bar");
  });
});

const refusedArgs: [string[], LaunchReason, number | undefined][] = [
  [[], "spec-missing", undefined],
  [["--from"], "option-value-missing", 0],
  [["--from", "name"], "bin-missing", undefined],
  [["--from="], "spec-missing", 0],
  [["--from", "./evil", "x"], "spec-is-path", 1],
  [["--from", "git+https://github.com/evil/x", "x"], "spec-is-git", 1],
  [["--from=https://evil.example/x.whl", "x"], "spec-is-url", 0],
  [["--from", "name", "bash", "-c", "id"], "bin-is-interpreter", 2],
  [["--from", "name", "python", "-c", "1"], "bin-is-interpreter", 2],
  [["--from=name", "python3.13", "-c", "1"], "bin-is-interpreter", 1],
  [["--from", "name", "pip"], "bin-is-interpreter", 2],
  [["--from", "name", "/bin/sh"], "bin-is-path", 2],
  [["--from", "name", "x@1.0"], "bin-name-invalid", 2],
  [["--from", "name", "--with", "evil", "x"], "option-not-allowed", 2],
  [["--from", "name", "--from", "evil", "x"], "option-repeated", 2],
  [["--from=name", "--from=evil", "x"], "option-repeated", 1],
  [["--python"], "option-value-missing", 0],
  [["--from", "name", "-p"], "option-value-missing", 2],
  [["--python", "3.13"], "spec-missing", undefined],
  ...[
    "/tmp/python",
    "./3.13",
    "pypy3.10",
    "python",
    "3.13t",
    "3.13+freethreaded",
    ">=3.10",
    "2.7",
    "3.",
    "3.123",
    "3.13.1.1",
    "3.13.123",
    "33",
    "x3.13",
    "3.13\n",
    "${PYTHON}",
    "",
    "--with",
  ].flatMap((value): [string[], LaunchReason, number][] => [
    [["--python", value, "name"], "option-not-allowed", 1],
    [["-p", value, "name"], "option-not-allowed", 1],
    [["--from", "name", `--python=${value}`, "x"], "option-not-allowed", 2],
  ]),
  [["-p3.13", "name"], "option-not-allowed", 0],
  [["-p=3.13", "name"], "option-not-allowed", 0],
  [["--python", "3.13", "--with", "evil", "name"], "option-not-allowed", 2],
  [["--python", "3.13", "python", "-c", "1"], "bin-is-interpreter", 2],
  [["--python=3.13", "git+https://evil.example/x"], "spec-is-git", 1],
  [["python", "-c", "1"], "bin-is-interpreter", 0],
  [["python@3.12", "-c", "1"], "bin-is-interpreter", 0],
  [["ipython"], "bin-is-interpreter", 0],
  [["--from", "python@3.12", "x"], "bin-is-interpreter", 1],
  [["--from=cpython", "x"], "bin-is-interpreter", 0],
  ...[
    "--with",
    "-w",
    "--with-editable",
    "--with-requirements",
    "--overrides",
    "--constraints",
    "-c",
    "--build-constraints",
    "-b",
    "--index",
    "--index=https://evil.example",
    "--default-index",
    "--index-url",
    "-i",
    "--extra-index-url",
    "--find-links",
    "-f",
    "--index-strategy",
    "--torch-backend",
    "--managed-python",
    "--config-file",
    "--directory",
    "--project",
    "--env-file",
    "--cache-dir",
    "--allow-insecure-host",
    "--keyring-provider",
    "--no-verify-hashes",
    "--prerelease",
    "--no-build-isolation",
    "-C",
    "--config-setting",
    "--isolated",
    "-q",
    "--",
    "-",
    "--From",
    "--fro",
  ].map((option): [string[], LaunchReason, number] => [
    [option, "x", "name"],
    "option-not-allowed",
    0,
  ]),
];

describe("parseUvxArgs", () => {
  it.each(refusedArgs)("refuses %j as %s", (args, reason, index) => {
    const check = parseUvxArgs(args);
    expect(check).toMatchObject({ ok: false, reason });
    expect("index" in check ? check.index : undefined).toBe(index);
  });

  it.each([
    [["name==1.0", "--from", "x"], null, ["--from", "x"], 0],
    [["name@1.0"], null, [], 0],
    [["--from", "name==1.0", "run_me", "-c"], "run_me", ["-c"], 1],
    [["--from=name==1.0", "run-me", "--", "$(id)"], "run-me", ["--", "$(id)"], 0],
  ] as const)("reads %j", (args, bin, rest, packageIndex) => {
    expect(parseUvxArgs(args)).toEqual({
      ok: true,
      value: {
        runner: "uvx",
        package: "name",
        extras: [],
        version: "1.0",
        pinned: true,
        bin,
        args: rest,
        packageIndex,
        ignored: [],
      },
    });
  });

  it.each([
    [["--python", "3.13", "name", "-p", "x"], null, ["-p", "x"], 2, ["--python"]],
    [["--python=3", "name"], null, [], 1, ["--python"]],
    [["-p", "3.13.1", "--from", "name", "run"], "run", [], 3, ["-p"]],
    [["--from=name", "-p", "3.9", "run", "a"], "run", ["a"], 0, ["-p"]],
    [["-p", "3", "--python", "3.14", "name"], null, [], 4, ["-p", "--python"]],
    [["--python", "3.12.10", "name"], null, [], 2, ["--python"]],
  ] as const)("takes the version of Python of %j, and tells that it changes nothing", (...row) => {
    const [args, bin, rest, packageIndex, ignored] = row;
    expect(parseUvxArgs(args)).toMatchObject({
      ok: true,
      value: { package: "name", bin, args: rest, packageIndex, ignored },
    });
  });
});
