import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

/** Stored secrets of these names exist and cannot be used; `why` goes on after the name. */
export function unusable(names: readonly string[], why: string): GatewayError {
  return new GatewayError("SECRET_UNUSABLE", `The stored secret '${names.join("', '")}' ${why}.`, {
    details: { references: names },
  });
}
