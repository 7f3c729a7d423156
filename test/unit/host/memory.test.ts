import { totalmem } from "node:os";
import { describe, expect, it } from "vitest";
import { memoryBytes, processesFor } from "../../../functions/host/memory.ts";

const mebibyte = 1024 * 1024;

describe("processesFor", () => {
  it.each([
    [0, 1],
    [256, 1],
    [383, 1],
    [512, 2],
    [1024, 6],
    [4096, 30],
    [1024 * 1024, 1000],
  ])("lets a host of %i MiB have %i processes", (memory, processes) => {
    expect(processesFor(memory * mebibyte)).toBe(processes);
  });
});

describe("memoryBytes", () => {
  it("is what the machine or the container has, whatever the system tells of limits that are not set", () => {
    expect(memoryBytes()).toBeGreaterThan(64 * mebibyte);
    expect(memoryBytes()).toBeLessThanOrEqual(totalmem());
  });
});
