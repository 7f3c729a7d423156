import { describe, expect, it } from "vitest";
import { OrderedDelivery } from "../../../../functions/host/process/ordered-delivery.ts";

function record() {
  const seen: string[] = [];
  const backlog: boolean[] = [];
  const delivery = new OrderedDelivery({ onBacklog: (exists) => backlog.push(exists) });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  return {
    seen,
    backlog,
    ended,
    /** Handled one microtask late, as the SDK does. */
    notify: (name: string) => {
      const run = () => void Promise.resolve().then(() => seen.push(name));
      delivery.push({ run, isNotification: true });
    },
    answer: (name: string) => {
      delivery.push({ run: () => void seen.push(name), isNotification: false });
    },
    end: () => delivery.push({ run: resolve, isNotification: false }),
  };
}

describe("OrderedDelivery", () => {
  it("lets a notification's effects come before the answer that follows it", async () => {
    const { seen, notify, answer, end, ended } = record();
    notify("progress 1");
    notify("progress 2");
    answer("answer 1");
    answer("answer 2");
    notify("progress 3");
    answer("answer 3");
    end();
    await ended;
    expect(seen).toEqual([
      "progress 1",
      "progress 2",
      "answer 1",
      "answer 2",
      "progress 3",
      "answer 3",
    ]);
  });

  it("delivers at once what waits for nothing", () => {
    const { seen, answer } = record();
    answer("answer");
    expect(seen).toEqual(["answer"]);
  });

  it("tells of a backlog, and of its end, once each", async () => {
    const { seen, backlog, notify, answer, end, ended } = record();
    for (let count = 0; count < 1000; count += 1) {
      notify("progress");
      answer("answer");
    }
    end();
    await ended;
    expect(seen).toHaveLength(2000);
    expect(backlog[0]).toBe(true);
    expect(backlog.filter((exists) => exists)).toHaveLength(1);
  });

  it("delivers any number of notifications in a row without waiting", async () => {
    const { seen, backlog, notify } = record();
    for (let count = 0; count < 1000; count += 1) notify("progress");
    await Promise.resolve();
    expect(seen).toHaveLength(1000);
    expect(backlog).toEqual([]);
  });
});
