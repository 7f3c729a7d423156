/** Where an unexpected error came from, for a log. */
export interface WhereThrown {
  readonly name: string;
  /** The stack's frames alone. */
  readonly stack: readonly string[];
}

const frame = /^ {4}at .*:\d+:\d+\)?$/;
const maxFrames = 20;

/** An error without its message: the runtime's messages quote the values that they are about. */
export function whereThrown(thrown: unknown): WhereThrown {
  if (!(thrown instanceof Error)) return { name: typeof thrown, stack: [] };
  const message = thrown.message.split("\n");
  // The message stands in the stack's first lines, and may look like frames.
  const lines = (thrown.stack ?? "").split("\n").slice(message.length);
  const frames = lines.filter((line) => frame.test(line)).slice(0, maxFrames);
  return { name: thrown.name.slice(0, 80), stack: frames.map((line) => line.trim()) };
}
