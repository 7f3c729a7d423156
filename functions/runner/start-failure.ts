import { GatewayError } from "../../shared/errors/gateway-error.ts";

/** The platform tells the kinds by their text alone. */
const kinds: readonly { readonly text: string; readonly message: string }[] = [
  {
    text: "there is no container instance that can be provided",
    message: "All containers that the runner may start are in use.",
  },
  {
    text: "you are requesting too many containers per second",
    message: "The runner starts containers faster than it may.",
  },
];
const capacityHint =
  "Wait for the time in Retry-After, or raise `max_instances` in the runner's wrangler.toml.";
const retryAfterS = 10;

/** Why a container did not start, as the caller is told; the platform's own text goes to the log. */
export function startFailure(cause: unknown): GatewayError {
  const text = cause instanceof Error ? cause.message.toLowerCase() : "";
  const kind = kinds.find((known) => text.includes(known.text));
  if (kind !== undefined) {
    return new GatewayError("CAPACITY", kind.message, { hint: capacityHint, retryAfterS, cause });
  }
  return new GatewayError("HOST_UNAVAILABLE", "The container of the host did not start.", {
    hint: "Try again; if it lasts, the runner's log has the reason.",
    retryAfterS,
    cause,
  });
}
