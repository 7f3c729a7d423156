import { suggest } from "../../shared/config/server/suggest.ts";
import type { Environment } from "./setting-readers.ts";

const prefix = "GANGWAY_HOST_";
/** What the settings files read, without the prefix. */
const known = [
  "ADDRESS",
  "DATA_DIR",
  "DEVELOPMENT",
  "DOCKER_CERTIFICATES",
  "DOCKER_CLI",
  "DOCKER_CONFIG",
  "DOCKER_CPU_PERCENT",
  "DOCKER_ENGINE",
  "DOCKER_MEMORY_MB",
  "DOCKER_PROCESSES",
  "DOCKER_PULL",
  "DOCKER_VOLUME_ROOTS",
  "DRAIN_MS",
  "IDLE_MS",
  "INPUT_WAIT_S",
  "INSTALLER_UID",
  "LAUNCH_FILES",
  "LAUNCH_NODE_HEAP_MB",
  "LAUNCH_PROCESSES",
  "LAUNCH_UIDS",
  "LOG_LEVEL",
  "MAX_BODY_BYTES",
  "MAX_FRAME_BYTES",
  "MAX_HELD",
  "MAX_HELD_BY_ONE",
  "MAX_INSTALL_S",
  "MAX_PACKAGE_BYTES",
  "MAX_PROCESSES",
  "METADATA_ADDRESS",
  "METRICS_ADDRESS",
  "METRICS_PORT",
  "NPM_CLI",
  "NPM_REGISTRY",
  "PORT",
  "SEED_DIR",
  "STOP_GRACE_MS",
  "TAG_TTL_S",
  "TICKET_KEY",
  "UV",
  "UV_BUILD",
  "UV_INDEX",
];

/** A variable that is meant for the host, and that it does not read. */
export interface UnknownVariable {
  readonly variable: string;
  /** The setting that was most likely meant, or null. */
  readonly nearest: string | null;
}

/** A slip in a variable's name would otherwise pass for the default. */
export function unknownVariables(environment: Environment): UnknownVariable[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name.slice(prefix.length)))
    .map((variable) => {
      const nearest = suggest(variable.slice(prefix.length), known);
      return { variable, nearest: nearest === null ? null : prefix + nearest };
    });
}
