import type { ContentBlock, Truncation } from "./call-result.ts";
import { jsonBytesOfValue } from "./measure-text.ts";
import { blockBytes, shrinkBlock, standIn } from "./shrink-block.ts";

/** `max_result_bytes` where a request does not say. */
export const defaultMaxResultBytes = 1024 * 1024;

/** A block up to this size (and up to an eighth of the limit) never gives way to a larger neighbour. */
const smallBlockBytes = 512;

/** The parts of a result whose size the server decides. */
export interface ResultParts {
  readonly content: readonly ContentBlock[];
  readonly structured_content?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface LimitedResult {
  readonly parts: ResultParts;
  /** Empty when everything fitted. */
  readonly truncated: readonly Truncation[];
}

/**
 * `parts` in at most `maxBytes` of JSON in UTF-8. Room goes to the blocks in their order, then to
 * `structured_content`, then to `meta`; these two are kept whole or left out. A block that does
 * not fit is cut (text) or described (anything else); when not even that fits, blocks at the end
 * are left out. `truncated` tells all of it. Linear in the size of `parts`.
 */
export function limitResult(parts: ResultParts, maxBytes: number): LimitedResult {
  const blocks = limitBlocks(parts.content, maxBytes);
  const { structured_content, meta } = parts;
  const structured = keepWhole(structured_content, blocks.room, "/structured_content");
  const metadata = keepWhole(meta, structured.room, "/metadata/meta");
  return {
    parts: {
      content: blocks.content,
      ...(structured.kept && structured_content !== undefined ? { structured_content } : {}),
      ...(metadata.kept && meta !== undefined ? { meta } : {}),
    },
    truncated: [...blocks.truncated, ...structured.truncated, ...metadata.truncated],
  };
}

interface Plan {
  readonly block: ContentBlock;
  readonly bytes: number;
  /** What stands in its place if need be, and the bytes that are set aside for it. */
  readonly least: ContentBlock;
  readonly leastBytes: number;
}

function limitBlocks(content: readonly ContentBlock[], maxBytes: number) {
  const plans = content.map((block) => planBlock(block, maxBytes));
  const { fitting, room } = fit(plans, maxBytes);
  let spare = room;
  const truncated: Truncation[] = [];
  const kept = fitting.map(({ block, bytes, least, leastBytes }, index) => {
    const allowed = leastBytes + spare;
    if (bytes <= allowed) {
      spare -= bytes - leastBytes;
      return block;
    }
    const shrunk = shrinkBlock(block, { least, maxBytes: allowed, pointer: `/content/${index}` });
    spare -= blockBytes(shrunk.block) - leastBytes;
    truncated.push(...shrunk.truncated);
    return shrunk.block;
  });
  if (fitting.length < plans.length) truncated.push(leftOut(plans, fitting));
  return { content: kept, truncated, room: spare };
}

function planBlock(block: ContentBlock, maxBytes: number): Plan {
  const bytes = blockBytes(block);
  if (bytes <= Math.min(smallBlockBytes, maxBytes / 8)) {
    return { block, bytes, least: block, leastBytes: bytes };
  }
  const least = standIn(block);
  const leastBytes = blockBytes(least);
  return leastBytes < bytes
    ? { block, bytes, least, leastBytes }
    : { block, bytes, least: block, leastBytes: bytes };
}

/** As many blocks from the beginning as can at least have their stand-ins; and the room left. */
function fit(plans: readonly Plan[], maxBytes: number): { fitting: readonly Plan[]; room: number } {
  let room = maxBytes - "[]".length;
  const end = plans.findIndex(({ leastBytes }, index) => {
    const cost = leastBytes + (index === 0 ? "" : ",").length;
    if (cost > room) return true;
    room -= cost;
    return false;
  });
  return { fitting: end === -1 ? plans : plans.slice(0, end), room };
}

function leftOut(plans: readonly Plan[], fitting: readonly Plan[]): Truncation {
  const total = (some: readonly Plan[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0);
  return { pointer: "/content", original_bytes: total(plans), kept_bytes: total(fitting) };
}

function keepWhole(value: unknown, room: number, pointer: string) {
  if (value === undefined) return { kept: false, room, truncated: [] };
  const bytes = jsonBytesOfValue(value);
  if (bytes <= room) return { kept: true, room: room - bytes, truncated: [] };
  return { kept: false, room, truncated: [{ pointer, original_bytes: bytes, kept_bytes: 0 }] };
}
