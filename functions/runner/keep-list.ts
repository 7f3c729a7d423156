import { runEventSchema } from "../../shared/run-contract/contract.ts";
import { eventLine, eventsAnswer } from "./answers.ts";
import { longestLine } from "./list-store.ts";

/**
 * The answer to a list, passed on as it comes. When it has ended well, `keep` gets its result's
 * line: that of a server that was started for it, which is what any fresh start would answer.
 */
export function keepList(answer: Response, keep: (line: string) => void): Response {
  const decoder = new TextDecoder();
  let rest = "";
  const through = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      if (rest.length <= longestLine) rest += decoder.decode(chunk, { stream: true });
      // The result is the last line: what is before it may be forgotten.
      const lastBorder = rest.lastIndexOf("\n", rest.length - 2);
      if (lastBorder !== -1) rest = rest.slice(lastBorder + 1);
    },
    flush() {
      const line = rest.trim();
      if (isFreshResult(line)) keep(line);
    },
  });
  const body = answer.body?.pipeThrough(through) ?? null;
  return new Response(body, answer);
}

/** A list that was kept, as the events of a run. */
export function keptAnswer(line: string): Response {
  const event = runEventSchema.parse(JSON.parse(line));
  const told = event.event === "result" ? { ...event, kept: true, timings_ms: {} } : event;
  const lines = [eventLine({ event: "accepted", contract: 1 }), eventLine(told)];
  return eventsAnswer(new Blob(lines));
}

function isFreshResult(line: string): boolean {
  const read = runEventSchema.safeParse(parseJson(line));
  return read.success && read.data.event === "result" && !read.data.session.warm;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A stream that was cut.
  }
}
