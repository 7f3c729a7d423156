/** One call of many, with the text that only it sends. */
export interface Sent {
  readonly id: string;
  readonly text: string;
}

/** What came back for the call of the same index. */
export type Received = string | null;

/**
 * Ids of the calls whose answer is not their own text: lost (null), altered, or another call's.
 */
export function misplaced(sent: readonly Sent[], received: readonly Received[]): string[] {
  return sent.flatMap(({ id, text }, index) => (received[index] === text ? [] : [id]));
}
