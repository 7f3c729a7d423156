import { type Environment, findProgram, pick, readFlag, readUrl } from "../../setting-readers.ts";

/** How the host installs Python packages. */
export interface UvSettings {
  /** Path of uv; null = there is none. */
  readonly uv: string | null;
  /** null = uv's default index. */
  readonly index: string | null;
  /** Packages that come as source only may be built, which runs their code at installation. */
  readonly build: boolean;
  /** Variables of the machine that uv gets, and no server. */
  readonly environment: Readonly<Record<string, string>>;
}

const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/** @throws SettingsError for the first variable that is wrong. */
export function readUvSettings(environment: Environment): UvSettings {
  return {
    uv: findProgram(environment, { name: "uv", variable: "GANGWAY_HOST_UV" }),
    index: readUrl(environment, "GANGWAY_HOST_UV_INDEX"),
    build: readFlag(environment, "GANGWAY_HOST_UV_BUILD"),
    environment: pick(environment, [...proxies, "SSL_CERT_FILE", "SSL_CERT_DIR"]),
  };
}
