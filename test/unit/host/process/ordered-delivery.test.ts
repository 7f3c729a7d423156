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
    delivery,
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

  it("costs linear time: fifty thousand alternations are done in moments", async () => {
    const { seen, notify, answer, end, ended } = record();
    const count = 50_000;
    for (let one = 0; one < count; one += 1) {
      notify("progress");
      answer("answer");
    }
    end();
    await ended;
    expect(seen).toHaveLength(2 * count);
    expect(seen.every((name, index) => name === (index % 2 === 0 ? "progress" : "answer"))).toBe(
      true,
    );
  });

  it("drops requests that wait, and nothing else", async () => {
    const { seen, delivery, notify, answer, end, ended } = record();
    notify("progress");
    const ask = () => void seen.push("request");
    for (let count = 0; count < 5000; count += 1)
      delivery.push({ run: ask, isNotification: false, isRequest: true });
    answer("answer");
    expect(delivery.length).toBe(5001);
    delivery.dropRequests();
    expect(delivery.length).toBe(1);
    end();
    await ended;
    expect(seen).toEqual(["progress", "answer"]);
  });

  it("keeps the order of what is pushed while something is delivered", () => {
    const { seen, delivery, answer } = record();
    const run = () => {
      seen.push("first");
      answer("third");
      seen.push("second");
    };
    delivery.push({ run, isNotification: false });
    expect(seen).toEqual(["first", "second", "third"]);
  });
});
