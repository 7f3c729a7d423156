import { type Logger, pino } from "pino";

export type Log = Logger;

/**
 * The host's log: JSON lines on stderr. Callers log names, codes, counts and times; never a value
 * of `env` or `secret_env`, arguments or results.
 */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
