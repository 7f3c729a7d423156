export interface Position {
  /** Counted from 1. */
  readonly line: number;
  /** UTF-16 code units, counted from 1. */
  readonly column: number;
}

/** Turns offsets into lines and columns; lines end at LF, CRLF or CR. */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (const match of text.matchAll(/\r\n|\n|\r/g))
      this.#starts.push(match.index + match[0].length);
  }

  position(offset: number): Position {
    const within = Math.min(Math.max(offset, 0), this.#length);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= within) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: within - (this.#starts[low] ?? 0) + 1 };
  }

  /** Offset of a line and column as other parsers tell them, both counted from 1. */
  offset(line: number, column: number): number {
    return Math.min((this.#starts[line - 1] ?? this.#length) + column - 1, this.#length);
  }
}
