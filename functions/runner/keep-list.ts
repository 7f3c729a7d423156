import { runEventSchema } from "../../shared/run-contract/contract.ts";
import { eventLine, eventsAnswer } from "./answers.ts";
import { longestLine } from "./list-store.ts";
import type { Passing } from "./pass-on.ts";

/**
 * Sees a list pass by. When it has ended well, `keep` gets its result's line: that of a server
 * that was started for it, which is what any fresh start would answer.
 */
export function listKeeper(keep: (line: string) => void): Pick<Passing, "chunk" | "end"> {
  const decoder = new TextDecoder();
  let rest = "";
  return {
    chunk(chunk) {
      if (rest.length > longestLine) return;
      rest += decoder.decode(chunk, { stream: true });
      // The result is the last line: what is before it may be forgotten.
      rest = rest.slice(rest.lastIndexOf("\n", rest.length - 2) + 1);
    },
    end() {
      const line = rest.trim();
      if (isFreshResult(line)) keep(line);
    },
  };
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
