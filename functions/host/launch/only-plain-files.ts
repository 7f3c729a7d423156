import { spawn } from "node:child_process";
import { once } from "node:events";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

const noneOfThem = ["f", "d", "l"].flatMap((type) => ["!", "-type", type]);

/**
 * Refuses an installation that holds anything but files, folders and links: pipes, sockets,
 * devices. The system's own program looks, in folders of any depth.
 * @throws GatewayError INSTALL_FAILED
 */
export async function onlyPlainFiles(folder: string): Promise<void> {
  const args = ["-P", folder, "-xdev", ...noneOfThem, "-print", "-quit"];
  const find = spawn("/usr/bin/find", args, {
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "ignore"],
  });
  let found = 0;
  find.stdout.on("data", (chunk: Buffer) => {
    found += chunk.length;
  });
  await once(find, "close");
  if (find.exitCode === 0 && found === 0) return;
  throw new GatewayError(
    "INSTALL_FAILED",
    "The package's installation left something that is neither a file nor a folder nor a link.",
    { hint: "Use another version of the package, or one without scripts for its installation." },
  );
}
