/**
 * Stands in for the AWS SDK's retries: `functions/edge/secrets/aws/attempt.ts` decides what is
 * tried again, and when.
 */
export const RETRY_MODES = { STANDARD: "standard", ADAPTIVE: "adaptive" };
export const DEFAULT_RETRY_MODE = RETRY_MODES.STANDARD;
export const DEFAULT_MAX_ATTEMPTS = 1;

export function resolveRetryConfig<Config>(config: Config): Config {
  return config;
}

interface Stack {
  readonly add: (pass: <Next>(next: Next) => Next, place: object) => void;
}

/** A step that passes on: others say that they come after the one of this name. */
export function getRetryPlugin(): { readonly applyToStack: (stack: Stack) => void } {
  const place = { name: "retryMiddleware", step: "finalizeRequest", priority: "high" };
  return { applyToStack: (stack) => stack.add((next) => next, place) };
}
