import type { Canary } from "./make-canaries.ts";

/** A canary that was seen, and how the text spelled it. */
export interface Sighting {
  readonly name: string;
  readonly shape: string;
  /** The decodings, outermost first; empty = as it is. */
  readonly spelled: readonly string[];
}

interface Reading {
  readonly text: string;
  readonly spelled: readonly string[];
}

type Decode = (text: string) => string;

const maxDepth = 3;

/**
 * Looks for canaries by undoing what a text may have been put through, again and again: the
 * opposite of what masks them, which spells the values and looks for that.
 */
export function findCanaries(text: string, canaries: readonly Canary[]): readonly Sighting[] {
  const seen = new Map<string, Sighting>();
  // No canary has so long a run of one character; fillers of tests have.
  const first = { text: text.replaceAll(/(.)\1{40,}/gs, "…"), spelled: [] };
  for (const reading of readings(first)) {
    for (const { name, shape, marks } of canaries) {
      if (seen.has(name) || !marks.some((mark) => reading.text.includes(mark))) continue;
      seen.set(name, { name, shape, spelled: reading.spelled });
    }
  }
  return [...seen.values()];
}

/** Escapes undone up to three times, in any order, and of each of that the data that is encoded. */
function* readings(first: Reading): Generator<Reading> {
  const known = new Set([first.text]);
  const fresh = ({ text, spelled }: Reading, decoders: Readonly<Record<string, Decode>>) =>
    Object.entries(decoders).flatMap(([name, decode]) => {
      const decoded = decode(text);
      if (decoded === "" || known.has(decoded)) return [];
      known.add(decoded);
      return [{ text: decoded, spelled: [...spelled, name] }];
    });
  let level: Reading[] = [first];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    for (const reading of level) {
      yield reading;
      for (const data of fresh(reading, encodings)) yield* [data, ...fresh(data, escapings)];
    }
    level = level.flatMap((reading) => fresh(reading, escapings));
  }
}

const escapings: Readonly<Record<string, Decode>> = {
  escapes: (text) =>
    text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs, (_, u, x, character) =>
      u === undefined && x === undefined
        ? (shortEscapes[character as string] ?? (character as string))
        : String.fromCharCode(Number.parseInt((u ?? x) as string, 16)),
    ),
  percent: (text) =>
    text
      .replaceAll("+", " ")
      .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
        Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
      ),
  entities: (text) =>
    text
      .replaceAll(/&#(?:x([0-9a-fA-F]+)|(\d+));/g, (_, hex, decimal) =>
        String.fromCodePoint(
          Number.parseInt((hex ?? decimal) as string, hex === undefined ? 10 : 16),
        ),
      )
      .replaceAll("&quot;", '"')
      .replaceAll("&apos;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&"),
};

/** Data that is written in letters, alone or within other text. */
const encodings: Readonly<Record<string, Decode>> = {
  hexadecimal: (text) => decodeRuns(text, /[0-9a-fA-F]{14,}/g, "hex", 2),
  base64: (text) => decodeRuns(text, /[A-Za-z0-9+/]{10,}/g, "base64", 4),
  base64url: (text) => decodeRuns(text, /[\w-]{10,}/g, "base64url", 4),
  "lines joined": (text) => text.replaceAll(/\s+/g, ""),
};

const shortEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
};

/** Every run that may be encoded data, on one line or several, read from each of its first characters on. */
function decodeRuns(text: string, run: RegExp, encoding: BufferEncoding, offsets: number): string {
  const joined = text.replaceAll(/\s+/g, "");
  const runs = [...(text.match(run) ?? []), ...(joined.match(run) ?? [])];
  return runs
    .flatMap((encoded) =>
      Array.from({ length: offsets }, (_, offset) =>
        Buffer.from(encoded.slice(offset), encoding).toString("utf8"),
      ),
    )
    .join("\n");
}
