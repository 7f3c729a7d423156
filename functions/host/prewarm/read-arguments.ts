import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readDeployment } from "../../../shared/config/read-deployment.ts";
import { parsePrewarmSpec, type PrewarmedPackage } from "../../../shared/policy/prewarm-spec.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { SettingsError } from "../setting-readers.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** What the command is asked for. */
export interface PrewarmArguments {
  readonly packages: readonly PrewarmedPackage[];
  /** The same as they are written, for the build argument of the image; null = they are installed. */
  readonly printed: readonly string[] | null;
  readonly install: Launch["install"];
}

/**
 * Reads `[--print] [--deployment FILE] [--allow-scripts] [--min-release-age-days N] [SPEC …]`.
 * @throws SettingsError for the first argument that is wrong, in one line.
 */
export function readArguments(argv: readonly string[]): PrewarmArguments {
  const { values, positionals } = parse(argv);
  const listed = values.deployment === undefined ? [] : listOf(values.deployment);
  const specs = [...listed, ...positionals];
  const packages = specs.map(readSpec);
  const install = installOf(values);
  // A deployment may list none, and its image is built by the same command.
  if (values.print && values.deployment !== undefined) return { packages, install, printed: specs };
  if (packages.length > 0) return { packages, install, printed: values.print ? specs : null };
  throw new SettingsError("No package is named; name npm:NAME@VERSION or pypi:NAME==VERSION.");
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        deployment: { type: "string" },
        print: { type: "boolean", default: false },
        "allow-scripts": { type: "boolean", default: false },
        "min-release-age-days": { type: "string" },
      },
    });
  } catch (error) {
    throw new SettingsError(error instanceof Error ? error.message : "The arguments are wrong.");
  }
}

function listOf(file: string): readonly string[] {
  const { deployment, findings } = readDeployment(textOf(file), { mode: "production" });
  if (deployment !== null) return deployment.prewarm;
  throw new SettingsError(`${file}: ${findings[0]?.message ?? "it cannot be read"}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new SettingsError(`${file}: it cannot be read (${code})`);
  }
}

function readSpec(text: string): PrewarmedPackage {
  const parsed = parsePrewarmSpec(text);
  if (parsed.ok) return parsed.value;
  throw new SettingsError(`${parsed.message} ${parsed.hint}`);
}

/** As a tenant's policy says it: entries are found by the same terms alone. */
function installOf(values: ReturnType<typeof parse>["values"]): Launch["install"] {
  const text = values["min-release-age-days"];
  const days = Number(text ?? 0);
  if (Number.isNaN(days) || days < 0)
    throw new SettingsError("--min-release-age-days takes a number of days.");
  return {
    ...(values["allow-scripts"] ? { allow_scripts: true } : {}),
    ...(days > 0 ? { min_release_age_ms: Math.ceil(days * dayMs) } : {}),
  };
}
