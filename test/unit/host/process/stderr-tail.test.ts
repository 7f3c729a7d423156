import { describe, expect, it } from "vitest";
import { createRedact } from "../../../../functions/host/process/redact.ts";
import { StderrTail } from "../../../../functions/host/process/stderr-tail.ts";

const redact = createRedact({ secrets: ["hunter2-secret"], plain: [] });

describe("StderrTail", () => {
  it("masks a secret that came in two pieces", () => {
    const tail = new StderrTail();
    tail.push(Buffer.from("key hunter2-"));
    tail.push(Buffer.from("secret!"));
    expect(tail.read(redact)).toBe("key ***!");
  });

  it("keeps the end, in bounded memory, with no half of a secret at the cut", () => {
    const tail = new StderrTail();
    for (let line = 0; line < 20_000; line += 1) tail.push(Buffer.from(`${line} hunter2-secret\n`));
    const text = tail.read(redact);
    expect(text.length).toBeLessThanOrEqual(4096);
    expect(text.endsWith("19999 ***")).toBe(true);
    expect(text).not.toMatch(/hunter|secret/);
  });

  it("keeps a character that came in two pieces, and drops control characters", () => {
    const tail = new StderrTail();
    const bytes = Buffer.from("\u001b[31mred\u001b[0m ä\u0007");
    tail.push(bytes.subarray(0, bytes.length - 2));
    tail.push(bytes.subarray(bytes.length - 2));
    expect(tail.read(redact)).toBe("red ä");
  });
});
