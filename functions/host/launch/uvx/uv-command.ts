import { join } from "node:path";
import { programPath } from "../../process/environment.ts";
import type { UvSettings } from "./uv-settings.ts";

/** Folders that uv is given, all the host's own. */
export interface UvFolders {
  readonly home: string;
  readonly cache: string;
  /** Holds the tool's virtual environment, under the package's name. */
  readonly tools: string;
  /** Where uv links the tool's programs; the host starts them from the environment itself. */
  readonly links: string;
}

/** `root` outlives the host, `installation` becomes the entry. */
export function uvFolders(root: string, installation: string): UvFolders {
  return {
    home: join(root, "home"),
    cache: join(root, "cache"),
    tools: toolsFolder(installation),
    links: join(installation, "links"),
  };
}

export function toolsFolder(installation: string): string {
  return join(installation, "tools");
}

/** The argv that installs one package of the index as a tool. */
export function uvInstallArgv(uv: string, spec: string): [string, ...string[]] {
  return [uv, "tool", "install", "--", spec];
}

/**
 * The whole environment of uv: no configuration file, keyring or other interpreter than the
 * machine's own steers it, nothing but the index is a source of code, and no code of a package
 * runs unless the operator lets packages be built.
 * @see https://docs.astral.sh/uv/reference/environment/
 */
export function uvEnvironment(
  settings: UvSettings,
  folders: UvFolders,
  before: Date | null,
): Record<string, string> {
  return {
    ...settings.environment,
    PATH: programPath,
    HOME: folders.home,
    LANG: "C.UTF-8",
    UV_NO_CONFIG: "1",
    UV_NO_SYSTEM_CONFIG: "1",
    UV_NO_ENV_FILE: "1",
    UV_ISOLATED: "1",
    UV_KEYRING_PROVIDER: "disabled",
    UV_PYTHON_DOWNLOADS: "never",
    UV_CACHE_DIR: folders.cache,
    UV_TOOL_DIR: folders.tools,
    UV_TOOL_BIN_DIR: folders.links,
    // Entries are never written to again: not by servers that import them either.
    UV_COMPILE_BYTECODE: "1",
    UV_NO_PROGRESS: "1",
    ...(before === null ? {} : { UV_EXCLUDE_NEWER: before.toISOString() }),
    ...(settings.build ? {} : { UV_NO_BUILD: "1" }),
    ...(settings.index === null ? {} : { UV_DEFAULT_INDEX: settings.index }),
  };
}
