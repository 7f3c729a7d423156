import { createHash } from "node:crypto";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { declaredAtStart } from "../questions/answerable.ts";

/**
 * What runs must have in common to share a process: the edge's key, and everything that the
 * process was started with. A changed launch under an old key gets a process of its own.
 */
export function poolKey(request: RunRequest): string {
  const { pool_key, launch, protocol, server } = request;
  const { runner, package: name, version, bin, args, encoding, extras, install, volumes } = launch;
  const environment = { ...launch.env, ...launch.secret_env };
  const sorted = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  const program = [runner, name, version, extras, install, bin, args, volumes];
  const declared = declaredAtStart(request);
  const whole = [pool_key, server, protocol, program, encoding, sorted, declared];
  return createHash("sha256").update(JSON.stringify(whole)).digest("hex");
}
