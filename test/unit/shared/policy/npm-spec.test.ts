import { createRequire } from "node:module";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExactVersion, parseNpmSpec } from "../../../../shared/policy/npm-spec.ts";
import type { LaunchReason } from "../../../../shared/policy/reasons.ts";
import { runs } from "../../../support/property-runs.ts";

interface NpmReading {
  readonly type: string;
  readonly name: string | undefined;
  readonly fetchSpec: string | null;
}

// npm's own parser is the oracle; it has no types and needs Node, so the product cannot use it.
const npa = createRequire(import.meta.url)("npm-package-arg") as (
  spec: string,
  where: string,
) => NpmReading;

const accepted: [string, string, string | null, boolean][] = [
  ["mcp-remote", "mcp-remote", null, false],
  [
    "@modelcontextprotocol/server-everything",
    "@modelcontextprotocol/server-everything",
    null,
    false,
  ],
  [
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-memory",
    "2026.8.31",
    true,
  ],
  ["mongodb-mcp-server@3.0.0-prerelease.2", "mongodb-mcp-server", "3.0.0-prerelease.2", true],
  ["a@1.0.0+build.5", "a", "1.0.0+build.5", true],
  ["a@v1.2.3", "a", "1.2.3", true],
  ["a@latest", "a", "latest", false],
  ["a@next-11", "a", "next-11", false],
  ["a@a.b", "a", "a.b", false],
  ["a@a1.2.x", "a", "a1.2.x", false],
  ["a@2025-11-25", "a", "2025-11-25", false],
  ["ctx7@mcp", "ctx7", "mcp", false],
  ["JSONStream@1.3.5", "JSONStream", "1.3.5", true],
  ["socket.io@4.8.1", "socket.io", "4.8.1", true],
  ["@z_ai/mcp-server", "@z_ai/mcp-server", null, false],
  ["@21st-dev/magic@0.0.46", "@21st-dev/magic", "0.0.46", true],
  ["@-xun/fs@1.0.0", "@-xun/fs", "1.0.0", true],
  ["7zip-bin@5.2.0", "7zip-bin", "5.2.0", true],
];

const refused: [string, LaunchReason][] = [
  ["", "spec-missing"],
  // aliases
  ["npm:evil@1.0.0", "spec-is-alias"],
  ["good@npm:evil", "spec-is-alias"],
  ["good@npm:evil@1.0.0", "spec-is-alias"],
  ["@scope/good@npm:@evil/pkg@1.0.0", "spec-is-alias"],
  ["good@NPM:evil@1.0.0", "spec-is-alias"],
  ["NpM:evil", "spec-is-alias"],
  ["good@npm:./dir", "spec-is-alias"],
  ["good@npm:good", "spec-is-alias"],
  // paths and files
  [".", "spec-is-path"],
  ["..", "spec-is-path"],
  ["./evil", "spec-is-path"],
  ["../evil", "spec-is-path"],
  ["/tmp/evil", "spec-is-path"],
  ["~/evil", "spec-is-path"],
  ["\\\\host\\share", "spec-is-path"],
  ["C:\\evil", "spec-is-path"],
  ["c:/evil", "spec-is-path"],
  ["file:../evil", "spec-is-path"],
  ["FILE:/tmp/evil", "spec-is-path"],
  ["good@file:../evil", "spec-is-path"],
  ["good@./evil", "spec-is-path"],
  ["good@/tmp/evil", "spec-is-path"],
  ["good@~/evil", "spec-is-path"],
  ["link:../evil", "spec-is-path"],
  ["workspace:evil", "spec-is-path"],
  ["evil.tgz", "spec-is-path"],
  ["evil.TGZ", "spec-is-path"],
  ["evil.tar.gz", "spec-is-path"],
  ["evil.tgz@1.0.0", "spec-is-path"],
  ["good@evil.tar", "spec-is-path"],
  // URLs
  ["https://evil.example/x.tgz", "spec-is-url"],
  ["HTTP://evil.example/x", "spec-is-url"],
  ["good@https://evil.example/x.tgz", "spec-is-url"],
  ["@scope/good@http://evil.example/x", "spec-is-url"],
  ["https:evil.example", "spec-is-url"],
  ["ftp://evil.example/x", "spec-is-url"],
  ["data:text/javascript,1", "spec-is-url"],
  ["node:fs", "spec-is-url"],
  // repositories
  ["git+https://evil.example/x.git", "spec-is-git"],
  ["git+ssh://git@evil.example/x", "spec-is-git"],
  ["git://evil.example/x", "spec-is-git"],
  ["git@github.com:evil/x.git", "spec-is-git"],
  ["good@git+https://evil.example/x", "spec-is-git"],
  ["evil.git", "spec-is-git"],
  ["evil.git#v1", "spec-is-git"],
  ["good npm:evil", "spec-is-alias"],
  ["good x:evil", "spec-is-url"],
  ["github:evil/x", "spec-is-git"],
  ["GitHub:evil/x", "spec-is-git"],
  ["gist:0123456789", "spec-is-git"],
  ["gitlab:evil/x", "spec-is-git"],
  ["bitbucket:evil/x", "spec-is-git"],
  ["evil/x", "spec-is-git"],
  ["evil/x#main", "spec-is-git"],
  ["evil/x@1.0.0", "spec-is-git"],
  ["good@evil/x", "spec-is-git"],
  ["@scope/good@evil/x", "spec-is-git"],
  // references and placeholders
  ["${PACKAGE}", "spec-is-reference"],
  ["good@${VERSION}", "spec-is-reference"],
  ["@${SCOPE}/good", "spec-is-reference"],
  ["good@${env:VERSION}", "spec-is-reference"],
  ["good@{{VERSION}}", "spec-is-placeholder"],
  ["good@$VERSION", "spec-is-placeholder"],
  ["good@$(Version)", "spec-is-placeholder"],
  ["<<NpmPackageName>>@<<Version>>", "spec-is-placeholder"],
  ["<your-package>", "spec-is-placeholder"],
  ["%PACKAGE%", "spec-is-placeholder"],
  // ranges
  ["good@^1.2.3", "spec-is-range"],
  ["good@~1.2", "spec-is-range"],
  ["good@1", "spec-is-range"],
  ["good@1.2", "spec-is-range"],
  ["good@v1", "spec-is-range"],
  ["good@1.x", "spec-is-range"],
  ["good@1.2.x", "spec-is-range"],
  ["good@1.x.x", "spec-is-range"],
  ["good@1.2.*", "spec-is-range"],
  ["good@x", "spec-is-range"],
  ["good@*", "spec-is-range"],
  ["good@>=1.0.0", "spec-is-range"],
  ["good@<2", "spec-is-range"],
  ["good@=1.2.3", "spec-is-range"],
  ["good@1.0.0 - 2.0.0", "spec-is-range"],
  ["good@1.0.0||2.0.0", "spec-is-range"],
  ["good@ 1.0.0", "spec-is-range"],
  // names
  ["@scope", "spec-name-invalid"],
  ["@/name", "spec-name-invalid"],
  ["@scope/", "spec-name-invalid"],
  ["@scope/a/b", "spec-name-invalid"],
  ["@scope/.hidden", "spec-name-invalid"],
  ["@.scope/name", "spec-name-invalid"],
  ["@scope/%2e%2e", "spec-name-invalid"],
  ["-good", "spec-name-invalid"],
  ["_good", "spec-name-invalid"],
  ["good evil", "spec-name-invalid"],
  [" good", "spec-name-invalid"],
  ["good\n", "spec-name-invalid"],
  ["good;id", "spec-name-invalid"],
  ["good&&id", "spec-name-invalid"],
  ["`id`", "spec-name-invalid"],
  ["gооd", "spec-name-invalid"],
  ["node_modules", "spec-name-invalid"],
  ["Node_Modules", "spec-name-invalid"],
  ["favicon.ico", "spec-name-invalid"],
  ["a".repeat(215), "spec-name-invalid"],
  // versions
  ["good@", "spec-version-invalid"],
  ["good@1.2.3.4", "spec-version-invalid"],
  ["good@01.2.3", "spec-version-invalid"],
  ["good@1.2.3-01", "spec-version-invalid"],
  ["good@1.2.3beta", "spec-version-invalid"],
  ["good@1.2.3@4.5.6", "spec-version-invalid"],
  ["good@latest;id", "spec-version-invalid"],
  ["good@lat%65st", "spec-version-invalid"],
  ["good@-tag", "spec-version-invalid"],
  ["good@x.a", "spec-version-invalid"],
  ["good@a*b", "spec-version-invalid"],
  ["good@1.2.x-y", "spec-version-invalid"],
  ["good@12", "spec-is-range"],
  ["good@1.12", "spec-is-range"],
  ["good@12.3.x", "spec-is-range"],
  ["good@1.23.x", "spec-is-range"],
  [`good@1.2.3-${"a".repeat(260)}`, "spec-version-invalid"],
];

describe("parseNpmSpec", () => {
  it.each(accepted)("reads %s", (text, name, version, pinned) => {
    expect(parseNpmSpec(text)).toEqual({ ok: true, value: { package: name, version, pinned } });
  });

  it.each(refused)("refuses %j as %s", (text, reason) => {
    expect(parseNpmSpec(text)).toMatchObject({ ok: false, reason });
  });

  it.each(refused)("says what is wrong with %j and how to mend it", (text) => {
    const check = parseNpmSpec(text);
    expect(check).toMatchObject({
      message: expect.stringMatching(/^.{5,200}\.$/),
      hint: expect.stringMatching(/^[A-Z`].{10,200}\.$/),
    });
  });

  it("offers the version that a range holds", () => {
    expect(parseNpmSpec("@acme/mcp@^10.24.32")).toMatchObject({
      hint: "Write one version: `@acme/mcp@10.24.32`.",
    });
  });

  it("takes names of 214 and versions of 256 characters, and none longer", () => {
    const name = "a".repeat(214);
    const version = `1.2.3-${"a".repeat(250)}`;
    expect(parseNpmSpec(name).ok).toBe(true);
    expect(parseNpmSpec(`b@${version}`)).toMatchObject({ value: { pinned: true } });
    expect(parseNpmSpec(`b@${"t".repeat(256)}`)).toMatchObject({ value: { pinned: false } });
    expect(parseNpmSpec(`b@${"t".repeat(257)}`).ok).toBe(false);
  });

  it("refuses a text of any length at once", () => {
    expect(parseNpmSpec("a".repeat(100_000))).toMatchObject({
      reason: "spec-name-invalid",
      message: "The package is longer than 512 characters.",
    });
    expect(parseNpmSpec("a".repeat(512))).toMatchObject({
      message: `"${"a".repeat(80)}…" is no npm package's name.`,
    });
  });

  it("keeps what follows a colon out of its messages", () => {
    const check = parseNpmSpec("https://user:s3cr3t-token@evil.example/x.tgz");
    expect(JSON.stringify(check)).not.toContain("s3cr3t");
  });

  it("reads every accepted text as npm does", () => {
    const tries = runs(20_000);
    let seen = 0;
    fc.assert(
      fc.property(specText, (text) => {
        const check = parseNpmSpec(text);
        if (!check.ok) return;
        seen += 1;
        const { package: name, version, pinned } = check.value;
        const type = version === null ? "range" : pinned ? "version" : "tag";
        const read = npa(text, "/nowhere");
        expect({ type: read.type, name: read.name }).toEqual({ type, name });
        expect([version ?? "*", `v${version}`]).toContain(read.fetchSpec);
      }),
      { numRuns: tries },
    );
    expect(seen).toBeGreaterThanOrEqual(Math.floor(tries / 40));
  });

  it("accepts nothing with a colon, or with a slash outside its scope", () => {
    fc.assert(
      fc.property(specText, (text) => {
        return !parseNpmSpec(text).ok || /^(?:@[^/:@]+\/)?[^/:@]+(?:@[^/:@]+)?$/.test(text);
      }),
      { numRuns: runs(20_000) },
    );
  });

  it("accepts every name with every exact version that npm reads", () => {
    const number = fc.nat({ max: 99_999 });
    const suffix = fc.constantFrom("", "-rc.1", "-beta", "-0.3.7", "-x-y.z", "+b.01", "-a+b");
    const name = fc.stringMatching(/^(?:@[a-z0-9-]{1,9}\/)?[a-z0-9][a-z0-9._-]{0,20}$/);
    fc.assert(
      fc.property(name, fc.tuple(number, number, number), suffix, (written, numbers, rest) => {
        fc.pre(!/\.(?:tgz|tar|gz|whl|zip)$|\.git$/.test(written));
        const version = `${numbers.join(".")}${rest}`;
        expect(npa(`${written}@${version}`, "/nowhere").type).toBe("version");
        expect(parseNpmSpec(`${written}@${version}`)).toEqual({
          ok: true,
          value: { package: written, version, pinned: true },
        });
      }),
    );
  });
});

describe("isExactVersion", () => {
  it.each(["1.2.3", "0.0.0", "1.0.0-alpha.1", "1.0.0+20130313144700", "1.0.0--", "1.0.0-0a"])(
    "takes %s",
    (text) => {
      expect(isExactVersion(text)).toBe(true);
    },
  );

  it.each([
    "v1.2.3",
    "1.2",
    "1.2.3-",
    "1.2.3+",
    "1.2.3-a..b",
    "1.2.3-01",
    "1.2.3-001",
    "1.2.3-alpha.01",
    "1.02.3",
    " 1.2.3",
    "1.2.3\n",
  ])("refuses %j", (text) => {
    expect(isExactVersion(text)).toBe(false);
  });
});

/** Pieces that mean something to npm, in any order, alone or behind a good name. */
const piece = fc.constantFrom(
  ..."a b X x v V 1 0 01 2 . .. - _ @ / @a/ latest npm: git+ http: ~ ^ > = * 1.2.3 -beta +b tgz .tgz".split(
    " ",
  ),
  ...".tar.gz % $ { } file: # | rc.1 9999999999999999 node_modules é : \\ 1.2 ! ' (".split(" "),
  " ",
);
const anyText = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));
const specText = fc.oneof(
  anyText,
  anyText.map((rest) => `ab@${rest}`),
  anyText.map((rest) => `@a/b@${rest}`),
  fc.string({ unit: "binary", maxLength: 20 }),
);
