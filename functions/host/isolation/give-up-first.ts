import { writeFileSync } from "node:fs";

/** Of -1000 to 1000; what the host itself has is far less. */
const launchScore = "500";

/** When memory runs out, the kernel ends a launch before the host. */
export function giveUpFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, launchScore);
  } catch {
    // It has ended meanwhile.
  }
}
