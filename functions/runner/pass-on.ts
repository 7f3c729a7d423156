export interface Passing {
  /** Told of each chunk. */
  readonly chunk?: (chunk: Uint8Array) => void;
  /** The source has ended by itself. */
  readonly end?: () => void;
  /** Nothing comes any more, for whatever reason; told once. */
  readonly over: () => void;
  /** Ends the work for a reader who has gone away: at once, not at the next byte. */
  readonly gone: () => void;
}

/** The bytes of `source` as they come. */
export function passOn(
  source: ReadableStream<Uint8Array>,
  passing: Passing,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let isOver = false;
  const over = (): void => {
    if (!isOver) passing.over();
    isOver = true;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          passing.chunk?.(value);
          return controller.enqueue(value);
        }
        passing.end?.();
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      over();
    },
    cancel() {
      // The read that waits is woken by it, and would tell the end a second time.
      passing.gone();
      over();
    },
  });
}
