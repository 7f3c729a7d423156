/** Sends a signal to every process of a group; false when there is none left to send it to. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false; // ESRCH: the group is gone. EPERM cannot be: we started it.
  }
}
