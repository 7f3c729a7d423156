import { describe, expect, it } from "vitest";
import { BodyRoom } from "../../../../functions/host/http/body-room.ts";

const full = expect.objectContaining({ code: "CAPACITY", executed: "no", retryAfterS: 1 });

describe("BodyRoom", () => {
  it("takes so many bodies at once", () => {
    const room = new BodyRoom({ bodies: 2, bytes: 100 });
    const first = room.enter();
    room.enter();
    expect(() => room.enter()).toThrow(full);
    first[Symbol.dispose]();
    expect(() => room.enter()).not.toThrow();
  });

  it("takes so many bytes of all of them, and has the room again when a body has left", () => {
    const room = new BodyRoom({ bodies: 9, bytes: 100 });
    const first = room.enter();
    const second = room.enter();
    first.add(60);
    second.add(40);
    expect(() => second.add(1)).toThrow(full);
    first[Symbol.dispose]();
    second.add(60);
    expect(() => second.add(1)).toThrow(full);
  });
});
