import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { afterFailure, breakerState, type FailureStreak } from "./breaker.ts";

/** Keys that are remembered; the one that failed longest ago is forgotten first. */
const maxKeys = 1000;

/** Keeps servers that fail again and again from being started with every call. */
export class CrashLoops {
  readonly #streaks = new Map<string, FailureStreak<GatewayError>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Keys whose processes are not started at the moment. */
  get openCount(): number {
    const now = this.#now();
    return [...this.#streaks.values()].filter((one) => breakerState(one, now).state === "open")
      .length;
  }

  /** @throws GatewayError PROCESS_START_FAILED with the last failure's reason while the key is not to be started. */
  expectStartable(key: string): void {
    const streak = this.#streaks.get(key);
    const now = breakerState(streak, this.#now());
    if (streak !== undefined && now.state === "open") throw crashLoop(streak, now.waitMs);
  }

  failed(key: string, reason: GatewayError): void {
    const streak = afterFailure(this.#streaks.get(key), reason, this.#now());
    this.#streaks.delete(key); // Set anew, it stands last.
    this.#streaks.set(key, streak);
    const [oldest] = this.#streaks.keys();
    if (this.#streaks.size > maxKeys && oldest !== undefined) this.#streaks.delete(oldest);
  }

  worked(key: string): void {
    this.#streaks.delete(key);
  }
}

function crashLoop(
  { failures, reason }: FailureStreak<GatewayError>,
  waitMs: number,
): GatewayError {
  const retryAfterS = Math.ceil(waitMs / 1000);
  const told = `${reason.message} It failed ${failures} times in a row, and is not started again for ${retryAfterS} s.`;
  return new GatewayError("PROCESS_START_FAILED", told, {
    hint: `${reason.hint} Once that is mended, call again after the time in Retry-After.`,
    retryAfterS,
    details: { ...reason.details, failures_in_a_row: failures, last_code: reason.code },
    cause: reason,
  });
}
