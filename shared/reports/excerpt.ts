import type { Region } from "./region.ts";
import { visibleCharacter } from "./visible.ts";

/** Terminal cells that an excerpt may fill, and how many of them lie right of the place. */
const widthCells = 100;
const rightCells = 60;
const tab = "    ";

const wide =
  /^[\p{Emoji_Presentation}\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/v;
const combining = /^[\p{Mn}\p{Me}\uFE0F]/v;

interface Excerpt {
  /** The source line, or a window of it, ready to print. */
  readonly line: string;
  /** Spaces and carets under the place. */
  readonly marks: string;
}

/**
 * The source line of a region with carets under it. Tabs become four spaces, hidden characters
 * their escapes; a long line is cut to a window around the place, `…` at its cut ends. Costs the
 * window, not the line.
 */
export function excerptOf(line: string, region: Region): Excerpt {
  const start = Math.min(region.start.column - 1, line.length);
  const end = endIndex(line, region, start);
  const right = rightPart(line, start, end);
  const left = leftPart(line, start, widthCells - right.cells);
  return {
    line: left.text + right.text,
    marks: " ".repeat(left.cells) + "^".repeat(Math.max(1, right.marked)),
  };
}

function endIndex(line: string, { start, end }: Region, startIndex: number): number {
  if (end === null) return startIndex + 1;
  return end.line > start.line ? line.length : Math.min(end.column - 1, line.length);
}

/** From the place to the right, and how many of its cells belong to the place. */
function rightPart(line: string, start: number, end: number) {
  let [text, cells, marked, at] = ["", 0, 0, start];
  while (at < line.length && cells < rightCells) {
    const shown = cellText(line, at);
    text += shown;
    cells += cellWidth(shown);
    if (at < end) marked = cells;
    at += (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at < line.length
    ? { text: `${text}…`, cells: cells + 1, marked }
    : { text, cells, marked };
}

/** What stands left of the place, at most `budget` cells of it. */
function leftPart(line: string, start: number, budget: number) {
  let [text, cells, at] = ["", 0, start];
  while (at > 0) {
    const before = characterBefore(line, at);
    const shown = cellText(line, before);
    const width = cellWidth(shown);
    if (cells + width + 1 > budget) return { text: `…${text}`, cells: cells + 1 };
    text = shown + text;
    cells += width;
    at = before;
  }
  return { text, cells };
}

/** Where the character that ends before `at` begins. */
function characterBefore(line: string, at: number): number {
  return at > 1 && (line.codePointAt(at - 2) ?? 0) > 0xffff ? at - 2 : at - 1;
}

function cellText(line: string, at: number): string {
  return line[at] === "\t" ? tab : visibleCharacter(line, at);
}

/** Cells of one character as shown; tabs and escapes are plain ASCII. */
function cellWidth(shown: string): number {
  if (/^[ -~]/.test(shown)) return shown.length;
  if (combining.test(shown)) return 0;
  return wide.test(shown) ? 2 : 1;
}
