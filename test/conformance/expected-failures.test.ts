import { describe, expect, it } from "vitest";
import { listFaults, staleEntries } from "./expected-failures.ts";

const scenarios = [
  { name: "needed", revision: "a", required: true },
  { name: "spare", revision: "a", required: false },
  { name: "spare", revision: "b", required: false },
  { name: "both", revision: "a", required: false },
  { name: "both", revision: "b", required: true },
];

describe("staleEntries", () => {
  const outcomes = [
    { name: "mended", passed: true },
    { name: "mended", passed: true },
    { name: "half", passed: true },
    { name: "half", passed: false },
    { name: "sound", passed: true },
  ];

  it("finds entries that fail nowhere any more", () => {
    expect(staleEntries(["mended", "half"], outcomes)).toEqual(["mended"]);
  });

  it("finds entries that were not run at all", () => {
    expect(staleEntries(["gone"], outcomes)).toEqual(["gone"]);
  });
});

describe("listFaults", () => {
  it("lets scenarios be excused that no revision requires", () => {
    expect(listFaults(["spare"], scenarios)).toEqual([]);
  });

  it("finds entries that are required, at any revision, and such as do not exist", () => {
    expect(listFaults(["needed", "both", "gone"], scenarios)).toEqual([
      "needed is required",
      "both is required",
      "gone is no scenario of the suite",
    ]);
  });
});
