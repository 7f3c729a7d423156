import { expect } from "vitest";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** The GatewayError that a promise rejects with; fails the test when it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const outcome: unknown = await promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(GatewayError);
  return outcome as GatewayError;
}
