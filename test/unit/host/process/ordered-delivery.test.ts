import { describe, expect, it } from "vitest";
import { OrderedDelivery } from "../../../../functions/host/process/ordered-delivery.ts";

describe("OrderedDelivery", () => {
  it("lets a notification's own effects come before the answer that follows it", async () => {
    const seen: string[] = [];
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const delivery = new OrderedDelivery();
    const notify = (name: string) => void Promise.resolve().then(() => seen.push(name));
    delivery.push({ run: () => notify("progress 1"), settles: true });
    delivery.push({ run: () => notify("progress 2"), settles: true });
    delivery.push({ run: () => void seen.push("answer"), settles: false });
    delivery.push({ run: () => (seen.push("end"), resolve()), settles: false });
    await done;
    expect(seen).toEqual(["progress 1", "progress 2", "answer", "end"]);
  });

  it("delivers at once what waits for nothing", () => {
    const seen: string[] = [];
    const delivery = new OrderedDelivery();
    delivery.push({ run: () => void seen.push("answer"), settles: false });
    expect(seen).toEqual(["answer"]);
  });
});
