import { spawn } from "node:child_process";
import { once } from "node:events";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Identity } from "../isolation/identity.ts";

/**
 * Makes a finished installation readable to everybody and writable to its owner, the installer,
 * alone, whatever the package says.
 * @throws GatewayError INSTALL_FAILED
 */
export async function letLaunchesRead(folder: string, { uid, gid }: Identity): Promise<void> {
  const args = ["-R", "u+rwX,go+rX,go-w,a-s", "--", folder];
  const chmod = spawn("/bin/chmod", args, { uid, gid, cwd: "/", env: {}, stdio: "ignore" });
  await once(chmod, "close");
  if (chmod.exitCode === 0) return;
  throw new GatewayError("INSTALL_FAILED", "The installed files could not be made readable.");
}
