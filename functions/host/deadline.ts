import type { GatewayError } from "../../shared/errors/gateway-error.ts";

/** A signal that aborts with `reason` after `ms`, or as `outer` does; dispose of it when done. */
export function deadline(
  ms: number,
  outer: AbortSignal,
  reason: () => GatewayError,
): Disposable & { signal: AbortSignal } {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason()), ms);
  return {
    signal: AbortSignal.any([outer, late.signal]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
