import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PackageRoom } from "../../../../../functions/host/launch/cache/package-room.ts";
import { HostMetrics } from "../../../../../functions/host/metrics/host-metrics.ts";
import { readMetrics } from "../../../../support/scrape.ts";

const kibibyte = 1024;
let dataDir: string;
let root: string;
let now: number;
let installing: number;
let metrics: HostMetrics;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "gangway-room-"));
  root = join(dataDir, "npm");
  now = Date.now();
  installing = 0;
  metrics = new HostMetrics("test");
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** A host's view of the data folder; each has an instance folder of its own. */
async function openRoom(
  maxBytes: number,
  instance = "1-a",
  log = pino({ level: "silent" }),
): Promise<PackageRoom> {
  const instanceFolder = join(dataDir, "instances", instance);
  await mkdir(instanceFolder, { recursive: true });
  const room = new PackageRoom({ maxBytes, instanceFolder, log, metrics, now: () => now });
  room.add({ root, installing: () => installing });
  return room;
}

/** Writes a file of 100 KiB into a new folder. */
async function fill(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "file"), Buffer.alloc(100 * kibibyte));
  return folder;
}

/** An entry that was used so many minutes ago. */
async function install(room: PackageRoom, name: string, minutes: number): Promise<string> {
  const entry = await fill(join(root, "packages", name));
  const today = now;
  now -= minutes * 60_000;
  await room.touch(entry);
  now = today;
  return entry;
}

const left = () => readdir(join(root, "packages"));
const read = async (name: string) =>
  readMetrics(await metrics.text()).get(`gangway_host_${name}`) ?? 0;

describe("PackageRoom", () => {
  it("removes what was not used for longest until the rest fits, and counts", async () => {
    const room = await openRoom(250 * kibibyte);
    for (const [name, minutes] of [
      ["a", 3],
      ["b", 9],
      ["c", 5],
    ] as const) {
      await install(room, name, minutes);
    }
    await room.tidy();
    expect(await left()).toEqual(["a", "c"]);
    expect(await readdir(join(root, "uses"))).toEqual(["a.json", "c.json"]);
    expect(await readdir(join(dataDir, "instances", "1-a"))).toEqual([]);
    expect(await read("package_evictions_total")).toBe(1);
    expect(await read("package_bytes")).toBeGreaterThanOrEqual(200 * kibibyte);
    expect(await read("package_bytes")).toBeLessThan(250 * kibibyte);
  });

  it("keeps what was used, by another host before this one too", async () => {
    const before = await openRoom(1);
    await install(before, "old", 50);
    const entry = await install(before, "used", 60);
    now -= 2 * 60_000;
    await before.touch(entry);
    now += 2 * 60_000;
    await (await openRoom(150 * kibibyte, "2-b")).tidy();
    expect(await left()).toEqual(["used"]);
  });

  it("keeps what a process of this host, or of another one, runs from", async () => {
    const [one, other] = [await openRoom(1, "1-a"), await openRoom(1, "2-b")];
    const release = one.hold(await install(one, "held", 9));
    const again = one.hold(join(root, "packages", "held"));
    release();
    await one.tidy();
    await other.tidy();
    expect(await left()).toEqual(["held"]);
    again();
    now += 120_000;
    await until(other, 0);
  });

  it("keeps what is started from while others are being removed", async () => {
    const removed: string[] = [];
    const write = (line: string) => {
      const { package: name }: { package: string } = JSON.parse(line);
      removed.push(name);
      if (name === "first") room.hold(join(root, "packages", "started"));
    };
    const log = pino({}, { write });
    const room = await openRoom(1, "1-a", log);
    await install(room, "first", 9);
    await install(room, "started", 8);
    await room.tidy();
    expect([removed, await left()]).toEqual([["first"], ["started"]]);
  });

  it("keeps what has just been installed, though nothing is known of its use", async () => {
    const room = await openRoom(1);
    await fill(join(root, "packages", "new"));
    await room.tidy();
    expect(await left()).toEqual(["new"]);
  });

  it("gives up downloads before packages, and neither while an installer runs", async () => {
    const room = await openRoom(150 * kibibyte);
    await install(room, "a", 9);
    await fill(join(root, "cache", "_cacache"));
    installing = 1;
    room.noteFull();
    await room.tidy();
    expect(await readdir(join(root, "cache"))).toEqual(["_cacache"]);
    installing = 0;
    await room.tidy();
    expect([await left(), await readdir(join(root, "cache"))]).toEqual([["a"], []]);
  });

  it("removes packages while somebody always installs, and downloads that take all the room", async () => {
    const room = await openRoom(150 * kibibyte);
    installing = 1;
    await install(room, "old", 9);
    room.hold(await install(room, "held", 8));
    await fill(join(root, "cache", "one"));
    await room.tidy();
    expect([await left(), await readdir(join(root, "cache"))]).toEqual([["held"], ["one"]]);
    await fill(join(root, "cache", "two"));
    await room.tidy();
    expect([await left(), await readdir(join(root, "cache"))]).toEqual([["held"], []]);
  });

  it("takes nothing away while an installation finds that it is there", async () => {
    const entry = join(root, "packages", "found");
    let made: Promise<unknown> | undefined;
    const find = async () => {
      for (let times = 0; times < 20; times += 1) await readdir(entry);
      return { entry };
    };
    const write = (line: string) => {
      if (line.includes('"first"')) made = room.making(find);
    };
    const room = await openRoom(1, "1-a", pino({}, { write }));
    await install(room, "first", 9);
    await install(room, "found", 8);
    await room.tidy();
    expect([await made, await left()]).toEqual([{ entry }, ["found"]]);
  });

  it("does nothing in a data folder that is empty", async () => {
    await (await openRoom(0)).tidy();
    expect(await read("package_bytes")).toBe(0);
  });
});

/** A released entry is written down as used, then leaves with the next tidying. */
async function until(room: PackageRoom, count: number): Promise<void> {
  await expect
    .poll(async () => {
      now += 120_000;
      await room.tidy();
      return (await left()).length;
    })
    .toBe(count);
}
