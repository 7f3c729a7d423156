import { describe, expect, it } from "vitest";
import { deadline } from "../../../functions/host/deadline.ts";
import { waitFor } from "../../../functions/host/wait-for.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

const late = () => new GatewayError("INSTALL_TIMEOUT", "late");
const never = () => new Promise<never>(() => undefined);

describe("deadline and waitFor", () => {
  it("end a wait with the deadline's own reason", async () => {
    using limit = deadline(5, new AbortController().signal, late);
    await expect(waitFor(never(), limit.signal)).rejects.toMatchObject({ code: "INSTALL_TIMEOUT" });
  });

  it("end a wait with the outer signal's reason, before and during it", async () => {
    const outer = new AbortController();
    using limit = deadline(60_000, outer.signal, late);
    const waiting = waitFor(never(), limit.signal);
    outer.abort(new GatewayError("CANCELLED", "gone"));
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(waitFor(Promise.resolve(1), limit.signal)).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });

  it("settle as the work does", async () => {
    using limit = deadline(60_000, new AbortController().signal, late);
    await expect(waitFor(Promise.resolve(1), limit.signal)).resolves.toBe(1);
    await expect(waitFor(Promise.reject(late()), limit.signal)).rejects.toMatchObject({
      message: "late",
    });
  });

  it("do nothing any more once disposed of", () => {
    const limit = deadline(60_000, new AbortController().signal, late);
    limit[Symbol.dispose]();
    expect(limit.signal.aborted).toBe(false);
  });
});
