import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { pythonName } from "../../../../shared/policy/python-spec.ts";
import { entryName, type PackageSpec } from "../npm/package-spec.ts";
import { isFolder, publishFolder } from "../publish-folder.ts";
import { readInstalledText } from "../read-installed.ts";
import { declaredPrograms } from "./declared-programs.ts";
import { toolsFolder } from "./uv-command.ts";

/** A Python package that is whole and will not change. */
export interface InstalledTool {
  /** The folder of the whole installation. */
  readonly entry: string;
  /** The virtual environment that holds it and what it depends on. */
  readonly folder: string;
  /** The package's own name, in the one spelling. */
  readonly name: string;
  readonly version: string;
  /** Names of the programs that the package itself declares. */
  readonly programs: readonly string[];
}

/** The installed Python packages on disk, a folder for each exact version and set of extras. */
export class ToolEntries {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The entry of an exact version, or null. */
  async find(spec: PackageSpec): Promise<InstalledTool | null> {
    const entry = join(this.#root, entryName(spec));
    return (await isFolder(entry)) ? readTool(entry, spec.name) : null;
  }

  /** Makes an entry of a finished installation; the version found counts where none was asked for. */
  async publish(spec: PackageSpec, installation: string, isExact: boolean): Promise<InstalledTool> {
    const { version } = await readTool(installation, spec.name);
    const exact = { ...spec, version: isExact ? spec.version : version };
    const entry = join(this.#root, entryName(exact));
    await publishFolder(installation, entry);
    return readTool(entry, spec.name);
  }
}

async function readTool(entry: string, nameWithExtras: string): Promise<InstalledTool> {
  const name = pythonName(nameWithExtras.replace(/\[.*/, ""));
  const folder = join(toolsFolder(entry), name);
  const packages = await findPackagesFolder(folder);
  const info = packages === null ? undefined : await findInfo(packages, name);
  if (packages === null || info === undefined) throw broken(name);
  const record = (await readInstalledText(entry, join(packages, info.folder, "RECORD"))) ?? "";
  return { entry, folder, name, version: info.version, programs: declaredPrograms(record) };
}

async function findPackagesFolder(folder: string): Promise<string | null> {
  const names = await readdir(join(folder, "lib")).catch(() => []);
  const python = names.find((name) => name.startsWith("python3"));
  return python === undefined ? null : join(folder, "lib", python, "site-packages");
}

/** The folder in which the installed package is described: `name-version.dist-info`. */
async function findInfo(
  packages: string,
  name: string,
): Promise<{ folder: string; version: string } | undefined> {
  const folders = await readdir(packages).catch(() => []);
  for (const folder of folders) {
    const [, itsName, version] = /^(.+)-([^-]+)\.dist-info$/.exec(folder) ?? [];
    if (itsName === undefined || version === undefined) continue;
    if (pythonName(itsName) === name) return { folder, version };
  }
  return undefined;
}

function broken(name: string): GatewayError {
  return new GatewayError("INSTALL_FAILED", `The installed package ${name} cannot be read.`, {
    hint: "Use another version of the package.",
  });
}
