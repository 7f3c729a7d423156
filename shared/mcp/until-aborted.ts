import { GatewayError } from "../errors/gateway-error.ts";

/** `promise`, or a rejection with CANCELLED as soon as `signal` aborts. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () =>
      reject(new GatewayError("CANCELLED", "The operation was cancelled before it was sent."));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
