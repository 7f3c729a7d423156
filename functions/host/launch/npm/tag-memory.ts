import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { entryName, type PackageSpec } from "./package-spec.ts";

const recordSchema = z.object({ version: z.string(), resolved_at: z.number() });
type TagRecord = z.infer<typeof recordSchema>;

/** What version each tag meant when it was last asked for, kept on disk for a limited time. */
export class TagMemory {
  readonly #folder: string;
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor(folder: string, ttlMs: number, now: () => number) {
    this.#folder = folder;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** The version, if it was found out less than the time to live ago. */
  async recall(spec: PackageSpec): Promise<string | null> {
    const record = await this.#read(spec);
    if (record === null) return null;
    const ageMs = this.#now() - record.resolved_at;
    // Below zero: the clock was set back since, and nobody knows how old it is.
    return ageMs >= 0 && ageMs < this.#ttlMs ? record.version : null;
  }

  /** The version, however long ago it was found out. */
  async last(spec: PackageSpec): Promise<string | null> {
    return (await this.#read(spec))?.version ?? null;
  }

  async remember(spec: PackageSpec, version: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const record: TagRecord = { version, resolved_at: this.#now() };
    const draft = join(this.#folder, `.${randomUUID()}`);
    await writeFile(draft, JSON.stringify(record));
    await rename(draft, this.#path(spec));
  }

  async #read(spec: PackageSpec): Promise<TagRecord | null> {
    try {
      return recordSchema.parse(JSON.parse(await readFile(this.#path(spec), "utf8")));
    } catch {
      return null; // Never asked, or an unreadable record: the tag is resolved anew.
    }
  }

  #path(spec: PackageSpec): string {
    return join(this.#folder, `${entryName(spec)}.json`);
  }
}
