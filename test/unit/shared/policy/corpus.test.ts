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
import {
  corpus,
  corpusHeaders,
  corpusLaunches,
  corpusUrls,
  registryLaunches,
  registryPackages,
  type WrittenLaunch,
} from "./corpus.ts";

/** Folders of the authors' machines, as a policy would list them. */
const volumeRoots = ["/Users", "/home", "/path"];

const template = "a publisher's template, whose placeholders nobody has filled in";
const hostNetwork =
  "asks for the host's network, which gives the container all that the host reaches";
const notPlain = "a folder of Windows, where no host runs";
/** Every launch of the samples that is refused: its file, the rule, and why that is right. */
const exceptions: readonly { readonly launch: string; readonly why: string }[] = [
  {
    launch: "claude-code-019.json spec-is-git",
    why: "the newest state of a repository, no release",
  },
  { launch: "claude-desktop-010.json docker-not-run", why: "a plugin of the docker command" },
  { launch: "claude-desktop-010.json option-not-allowed", why: hostNetwork },
  { launch: "other-005.json option-not-allowed", why: hostNetwork },
  { launch: "other-006.json option-not-allowed", why: hostNetwork },
  { launch: "claude-desktop-013.json bin-is-interpreter", why: "`tsx` with a file of one laptop" },
  { launch: "other-018.json volume-invalid", why: notPlain },
  {
    launch: "registry-seed-2025-05__io.github.agentrpc_agentrpc.json spec-is-git",
    why: "`owner/name`, the repository in place of the package",
  },
  ...[
    "domdomegg__airtable-mcp-server__server.json spec-is-placeholder",
    "domdomegg__airtable-mcp-server__server.json spec-is-placeholder",
    "github__github-mcp-server__server.json spec-is-reference",
    "grafana__mcp-grafana__server.json spec-is-placeholder",
    "homeassistant-ai__ha-mcp__server.json spec-is-placeholder",
    "homeassistant-ai__ha-mcp__server.json spec-is-placeholder",
    "microsoft__mcp__servers_Azure.Mcp.Server_server.json spec-is-placeholder",
    "microsoft__mcp__servers_Azure.Mcp.Server_server.json spec-is-placeholder",
    "redis__mcp-redis__server.json spec-is-placeholder",
  ].map((launch) => ({ launch, why: template })),
];

// The corpus is test input of its own repository; without it there is nothing to hold the rules against.
describe.runIf(existsSync(corpus))("the policy against public configs", () => {
  it("accepts at least 99 % of honest launches, and those outside are known with their reasons", () => {
    const launches = distinctArgv([...corpusLaunches(), ...registryLaunches()]);
    const refused = launches.flatMap(({ file, command, args }) => {
      const check = parseLaunch(command, args, { volumeRoots });
      return check.ok ? [] : [`${file} ${check.reason}`];
    });
    expect(refused.toSorted()).toEqual(exceptions.map(({ launch }) => launch).toSorted());
    const honest = launches.length - exceptions.filter(({ why }) => why !== notPlain).length;
    const accepted = launches.length - refused.length;
    expect(accepted).toBeGreaterThanOrEqual(160);
    expect(accepted / honest).toBeGreaterThanOrEqual(0.99);
  });

  it("refuses folders of the machine where no policy allows them, and nothing else for that", () => {
    const launches = distinctArgv(corpusLaunches());
    const reasons = launches.flatMap(({ command, args }) => {
      const [open, closed] = [
        parseLaunch(command, args, { volumeRoots }),
        parseLaunch(command, args),
      ];
      return open.ok && !closed.ok ? [closed.reason] : [];
    });
    expect(reasons).toEqual(Array.from({ length: 8 }, () => "volume-outside-roots"));
  });

  it("accepts every npx launch of a published package", () => {
    const refused = distinctArgv(corpusLaunches())
      .filter(({ command }) => command === "npx")
      .filter(({ command, args }) => !parseLaunch(command, args).ok);
    expect(refused.map(({ args }) => args[0])).toEqual(["tsx"]);
  });

  it("shows no argument of an accepted launch that is not an option's name", () => {
    for (const { command, args } of distinctArgv(corpusLaunches())) {
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

function distinctArgv(launches: readonly WrittenLaunch[]): readonly WrittenLaunch[] {
  const key = ({ command, args }: WrittenLaunch) => JSON.stringify([command, args]);
  // The first file that has it.
  return [...new Map(launches.toReversed().map((launch) => [key(launch), launch])).values()];
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
