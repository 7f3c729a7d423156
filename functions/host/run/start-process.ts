import {
  type ProcessDependencies,
  type ProcessOptions,
  ServerProcess,
} from "../process/server-process.ts";

/**
 * Starts a process; its package stays on the disk for as long as anything of it is left.
 * @throws GatewayError what `ServerProcess.start` does.
 */
export async function startProcess(
  options: ProcessOptions,
  deps: ProcessDependencies,
): Promise<ServerProcess> {
  const release = options.prepared.hold?.();
  try {
    const process = await ServerProcess.start(options, deps);
    void process.gone.then(release);
    return process;
  } catch (error) {
    release?.();
    throw error;
  }
}
