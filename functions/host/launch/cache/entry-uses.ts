import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const recordSchema = z.object({ bytes: z.number().nonnegative(), used_at: z.number() });

/** One entry's record. */
export interface EntryUse {
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** When the entries of one runner were last used, and how large they are; outlives the host. */
export class EntryUses {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(name: string): Promise<EntryUse | null> {
    try {
      const text = await readFile(this.#path(name), "utf8");
      const { bytes, used_at: usedAt } = recordSchema.parse(JSON.parse(text));
      return { bytes, usedAt };
    } catch {
      return null; // Never written, or broken: it is measured anew.
    }
  }

  async write(name: string, { bytes, usedAt }: EntryUse): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = join(this.#folder, `.${randomUUID()}`);
    await writeFile(draft, JSON.stringify({ bytes, used_at: usedAt }));
    await rename(draft, this.#path(name));
  }

  /** The names of entries that have a record. */
  async names(): Promise<string[]> {
    const files = await readdir(this.#folder).catch(() => []);
    return files.flatMap((file) => /^([^.].*)\.json$/.exec(file)?.[1] ?? []);
  }

  async forget(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}
