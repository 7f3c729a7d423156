import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** One host serves one tenant: the first valid ticket decides whose host this is, for its life. */
export class TenantBinding {
  #tenant: string | undefined;

  /** @throws GatewayError TENANT_MISMATCH, naming neither tenant. */
  admit(tenant: string): void {
    this.expect(tenant);
    this.#tenant ??= tenant;
  }

  /**
   * The same check, which binds nobody.
   * @throws GatewayError TENANT_MISMATCH
   */
  expect(tenant: string): void {
    if (this.#tenant !== undefined && this.#tenant !== tenant) {
      throw new GatewayError("TENANT_MISMATCH", "The host is bound to another tenant.");
    }
  }
}
