import { describe, expect, it } from "vitest";
import { ReplayStore } from "../../../../functions/host/http/replay-store.ts";

const refusedAs = (code: string): unknown => expect.objectContaining({ code });

describe("ReplayStore", () => {
  it("takes a ticket once", () => {
    const store = new ReplayStore();
    store.use({ jti: "a", exp: 30 }, 0);
    store.use({ jti: "b", exp: 30 }, 0);
    expect(() => store.use({ jti: "a", exp: 30 }, 29)).toThrow(refusedAs("TICKET_INVALID"));
  });

  it("refuses a new ticket rather than forget one that still lives", () => {
    const store = new ReplayStore(2);
    store.use({ jti: "a", exp: 30 }, 0);
    store.use({ jti: "b", exp: 40 }, 0);
    expect(() => store.use({ jti: "c", exp: 30 }, 29)).toThrow(refusedAs("CAPACITY"));
    expect(() => store.use({ jti: "b", exp: 40 }, 29)).toThrow(refusedAs("TICKET_INVALID"));
  });

  it("has room again when tickets have expired", () => {
    const store = new ReplayStore(2);
    store.use({ jti: "a", exp: 30 }, 0);
    store.use({ jti: "b", exp: 40 }, 0);
    store.use({ jti: "c", exp: 60 }, 30);
    expect(() => store.use({ jti: "b", exp: 40 }, 30)).toThrow(refusedAs("TICKET_INVALID"));
  });
});
