import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../../shared/policy/check.ts";
import { checkEnvName } from "../../../../shared/policy/env-names.ts";
import { checkHeader } from "../../../../shared/policy/headers.ts";
import { parseImage } from "../../../../shared/policy/image.ts";
import { describeLaunch, parseLaunch } from "../../../../shared/policy/launch.ts";
import { parseNpmSpec } from "../../../../shared/policy/npm-spec.ts";
import { parsePythonSpec } from "../../../../shared/policy/python-spec.ts";
import { checkUrl } from "../../../../shared/policy/url.ts";
import { corpusHeaders, corpusLaunches, corpusUrls, corpus, registryPackages } from "./corpus.ts";

// The corpus is test input of its own repository; without it there is nothing to hold the rules against.
describe.runIf(existsSync(corpus))("the policy against public configs", () => {
  it("accepts every launch that asks for nothing of the host", () => {
    const launches = distinctArgv();
    const checks = launches.map(({ command, args }) => parseLaunch(command, args));
    expect(countReasons(checks)).toEqual({
      // eight bind mounts written as --mount, three with --network or --name, one choice of Python
      "option-not-allowed": 12,
      // host folders, which no policy of this test allows
      "volume-outside-roots": 1,
      // `docker mcp gateway run`, a plugin of the CLI
      "docker-not-run": 1,
      // `tsx /path/to/server.ts`, a file of one laptop
      "bin-is-interpreter": 1,
      // `--from git+https://…`
      "spec-is-git": 1,
    });
    expect(checks.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(120);
  });

  it("accepts every npx launch of a published package", () => {
    const refused = distinctArgv()
      .filter(({ command }) => command === "npx")
      .filter(({ command, args }) => !parseLaunch(command, args).ok);
    expect(refused.map(({ args }) => args[0])).toEqual(["tsx"]);
  });

  it("shows no argument of an accepted launch that is not an option's name", () => {
    for (const { command, args } of distinctArgv()) {
      const check = parseLaunch(command, args);
      if (!check.ok) continue;
      const text = describeLaunch(check.value);
      const values = check.value.args.filter((arg) => !arg.startsWith("-") && arg.length > 12);
      for (const value of values) expect(text).not.toContain(value);
    }
  });

  it("accepts every env name of a launch but HOME", () => {
    const names = new Set(corpusLaunches().flatMap(({ env }) => env));
    expect([...names].filter((name) => !checkEnvName(name).ok)).toEqual(["HOME"]);
    expect(names.size).toBeGreaterThan(60);
  });

  it("accepts every URL of a public server", () => {
    const urls = corpusUrls().filter((url) => /^https:\/\/[\w.-]+\.[a-z]+(?:\/\S*)?$/i.test(url));
    const refused = urls.filter(
      (url) => !checkUrl(url, { schemes: ["https"], development: false }).ok,
    );
    expect(refused).toEqual([]);
    expect(urls.length).toBeGreaterThan(60);
  });

  it("accepts every header", () => {
    const headers = corpusHeaders();
    expect(headers.filter(([name, value]) => !checkHeader(name, value).ok)).toEqual([]);
    expect(headers.length).toBeGreaterThan(20);
  });

  it("accepts every package of the registry samples but unfilled templates", () => {
    const checks = registryPackages().flatMap(checkPackage);
    expect(countReasons(checks)).toEqual({
      "spec-is-placeholder": 8,
      "spec-is-reference": 1,
      // `owner/name` in an old seed, the repository in place of the package
      "spec-is-git": 1,
    });
    expect(checks.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(30);
  });
});

function distinctArgv(): { command: string; args: readonly string[] }[] {
  const argvs = corpusLaunches().map(({ command, args }) => ({ command, args }));
  return [...new Map(argvs.map((argv) => [JSON.stringify(argv), argv])).values()];
}

function checkPackage(entry: {
  kind: string;
  identifier: string;
  version: string;
}): Check<unknown>[] {
  const { kind, identifier, version } = entry;
  const joined = (mark: string) => (version === "" ? identifier : `${identifier}${mark}${version}`);
  if (kind === "npm") return [parseNpmSpec(joined("@"))];
  if (kind === "pypi") return [parsePythonSpec(joined("=="))];
  if (kind === "oci" || kind === "docker")
    return [parseImage(identifier.includes(":") ? identifier : joined(":"))];
  return [];
}

function countReasons(checks: readonly Check<unknown>[]): Record<string, number> {
  const reasons = checks.flatMap((check) => (check.ok ? [] : [check.reason]));
  return Object.fromEntries(
    Object.entries(Object.groupBy(reasons, (reason) => reason)).map(([reason, all]) => [
      reason,
      all?.length ?? 0,
    ]),
  );
}
