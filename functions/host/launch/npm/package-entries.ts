import { join } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { isFolder, publishFolder } from "../publish-folder.ts";
import { readInstalledText } from "../read-installed.ts";
import { type Manifest, manifestSchema } from "./choose-bin.ts";
import { entryName, isExact, type PackageSpec } from "./package-spec.ts";

/** A package that is whole and will not change. */
export interface InstalledPackage {
  /** The folder that holds it and what it depends on. */
  readonly entry: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The installed packages on disk, a folder for each exact version. */
export class PackageEntries {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The entry of an exact version, or null. */
  async find(spec: PackageSpec): Promise<InstalledPackage | null> {
    const entry = this.#folderOf(spec);
    return (await isFolder(entry)) ? readPackage(entry, spec.name) : null;
  }

  /**
   * Makes an entry of a finished installation by one rename, so that nobody ever sees half of it.
   * When the same version came in by another spec meanwhile, that entry stays.
   */
  async publish(spec: PackageSpec, installation: string): Promise<InstalledPackage> {
    const { manifest } = await readPackage(installation, spec.name);
    const version = isExact(spec.version) ? spec.version : manifest.version;
    const entry = this.#folderOf({ ...spec, version });
    await publishFolder(installation, entry);
    return readPackage(entry, spec.name);
  }

  #folderOf(spec: PackageSpec): string {
    return join(this.#root, entryName(spec));
  }
}

async function readPackage(entry: string, name: string): Promise<InstalledPackage> {
  const folder = join(entry, "node_modules", name);
  const parsed = manifestSchema.safeParse(await readJson(entry, join(folder, "package.json")));
  if (parsed.success) return { entry, folder, manifest: parsed.data };
  throw new GatewayError("INSTALL_FAILED", `The package ${name} has a broken package.json.`, {
    hint: "Use another version of the package.",
  });
}

async function readJson(entry: string, path: string): Promise<unknown> {
  try {
    return JSON.parse((await readInstalledText(entry, path)) ?? "");
  } catch {
    return undefined; // The schema's refusal tells it.
  }
}
