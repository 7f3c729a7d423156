import { delimiter, dirname } from "node:path";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import type { ProcessDirectories } from "./directories.ts";

/** Where servers find programs: the host's own Node first, then the system's. */
export const programPath = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(
  delimiter,
);

/**
 * The whole environment of a server's process, later wins: minimal baseline < `env` <
 * `secret_env`. Nothing of the host's own environment is in it.
 */
export function serverEnvironment(
  launch: Pick<Launch, "env" | "secret_env">,
  directories: ProcessDirectories,
): Record<string, string> {
  return {
    PATH: programPath,
    HOME: directories.home,
    TMPDIR: directories.tmp,
    LANG: "C.UTF-8",
    ...launch.env,
    ...launch.secret_env,
  };
}
