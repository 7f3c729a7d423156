import { pause } from "../../upstream/pause.ts";
import { type AwsFailure, toAwsFailure } from "./aws-failure.ts";

/** What came of a question to AWS. */
export type Attempt<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly failure: AwsFailure };

/** Shortest pause before the second attempt, and what chance adds to it at most, milliseconds. */
const pauseMs = 100;
const pauseSpreadMs = 200;

/** Asks, and after a pause once more when the failure is of a kind that `again` takes; never rejects. */
export async function attempt<Answer>(
  ask: () => Promise<Answer>,
  again: (failure: AwsFailure) => boolean,
  signal: AbortSignal,
): Promise<Attempt<Answer>> {
  const first = await once(ask);
  if (first.ok || signal.aborted || !again(first.failure)) return first;
  await pause(pauseMs + Math.random() * pauseSpreadMs, signal);
  return signal.aborted ? first : once(ask);
}

async function once<Answer>(ask: () => Promise<Answer>): Promise<Attempt<Answer>> {
  try {
    return { ok: true, answer: await ask() };
  } catch (error) {
    return { ok: false, failure: toAwsFailure(error) };
  }
}
