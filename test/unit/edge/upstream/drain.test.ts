import { describe, expect, it } from "vitest";
import { drain } from "../../../../functions/edge/upstream/drain.ts";

/** A response that counts the chunks taken from it and tells whether it was let go of. */
function counted(chunks: number) {
  const seen = { taken: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (seen.taken === chunks) return controller.close();
      seen.taken += 1;
      controller.enqueue(new Uint8Array(1_024));
    },
    cancel: () => void (seen.cancelled = true),
  });
  return { response: new Response(body), seen };
}

describe("a body that says nothing", () => {
  it("is read to its end", async () => {
    const { response, seen } = counted(8);
    await drain(response);
    expect(seen).toEqual({ taken: 8, cancelled: false });
  });

  it("is let go of when it goes on and on", async () => {
    const { response, seen } = counted(Number.POSITIVE_INFINITY);
    await drain(response);
    expect(seen.cancelled).toBe(true);
    expect(seen.taken).toBeLessThan(24);
  });

  it("may be missing or break off", async () => {
    await drain(new Response(null, { status: 202 }));
    const broken = new ReadableStream({ start: (controller) => controller.error("lost") });
    await expect(drain(new Response(broken))).resolves.toBeUndefined();
  });
});
