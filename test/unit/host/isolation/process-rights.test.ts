import { describe, expect, it } from "vitest";
import { readRights } from "../../../../functions/host/isolation/process-rights.ts";

const status = (changes: Record<string, string> = {}) =>
  Object.entries({
    Name: "node",
    Uid: "30001\t30001\t30001\t30001",
    Gid: "30002\t30002\t30002\t30002",
    Groups: " ",
    CapInh: "0000000000000000",
    CapPrm: "0000000000000000",
    CapEff: "0000000000000000",
    CapBnd: "0000000000000000",
    CapAmb: "0000000000000000",
    NoNewPrivs: "1",
    ...changes,
  })
    .map(([name, value]) => `${name}:\t${value}\n`)
    .join("");

describe("the rights of a process", () => {
  it("are read from its status", () => {
    expect(readRights(status())).toEqual({
      uid: 30_001,
      gid: 30_002,
      groups: [],
      noNewPrivileges: true,
      permitted: [],
    });
  });

  it("are told by name, and by number where the name is not known", () => {
    expect(readRights(status({ CapPrm: "00000000000000e3" })).permitted).toEqual([
      "CHOWN",
      "DAC_OVERRIDE",
      "KILL",
      "SETGID",
      "SETUID",
    ]);
    expect(readRights(status({ CapPrm: "8000000000200000" })).permitted).toEqual([
      "63",
      "SYS_ADMIN",
    ]);
  });

  it("hold the supplementary groups", () => {
    expect(readRights(status({ Groups: "4 27 " })).groups).toEqual([4, 27]);
  });

  it("are nobody's where nothing is told", () => {
    expect(readRights("")).toMatchObject({ uid: -1, gid: -1, noNewPrivileges: false });
  });
});
