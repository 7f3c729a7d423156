import type { Position } from "../config/tree/line-index.ts";
import { lineBreak } from "./line-break.ts";

const stride = 256;

/** Turns a position into a column from 1 in UTF-8 bytes; null where it lies outside the text. */
export type Utf8Column = (position: Position) => number | null;

/** Built once a text in linear time; each question then costs at most {@link stride} steps. */
export function utf8Columns(text: string): Utf8Column {
  const starts = lineStarts(text);
  const sums = byteSums(text);
  const bytesBefore = (offset: number): number => {
    const mark = Math.floor(offset / stride);
    return (sums[mark] ?? 0) + byteLength(text, mark * stride, offset);
  };
  return ({ line, column }) => {
    const start = starts[line - 1];
    const offset = (start ?? 0) + column - 1;
    if (start === undefined || column < 1 || offset > (starts[line] ?? text.length)) return null;
    return bytesBefore(offset) - bytesBefore(start) + 1;
  };
}

function lineStarts(text: string): number[] {
  const breaks = [...text.matchAll(lineBreak)];
  return [0, ...breaks.map((match) => match.index + match[0].length)];
}

/** UTF-8 bytes before every {@link stride}-th unit. */
function byteSums(text: string): number[] {
  const sums: number[] = [];
  let bytes = 0;
  for (let at = 0; at <= text.length; at += stride) {
    sums.push(bytes);
    bytes += byteLength(text, at, Math.min(at + stride, text.length));
  }
  return sums;
}

/** A half of a surrogate pair counts 2 bytes, a lone one 3, as its replacement character takes. */
function byteLength(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800 || isPaired(text, at, unit)) bytes += 2;
    else bytes += 3;
  }
  return bytes;
}

function isPaired(text: string, at: number, unit: number): boolean {
  if (unit >= 0xd800 && unit < 0xdc00) return isLow(text.charCodeAt(at + 1));
  return isLow(unit) && isHigh(text.charCodeAt(at - 1));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
