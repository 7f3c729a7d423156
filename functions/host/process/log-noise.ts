import type { Log } from "../log.ts";
import type { Redact } from "./redact.ts";

const toldLines = 20;
const toldCharacters = 200;

/**
 * Logs lines of stdout that are no messages: the first few, shortened and masked, then only that
 * there are more. Of what looks like a broken message, only its length: it may be a result.
 */
export function logNoise(log: Log, { pid, redact }: { pid: number | undefined; redact: Redact }) {
  let lines = 0;
  return (noise: { readonly text: string; readonly looksLikeProtocol: boolean }): void => {
    lines += 1;
    if (lines > toldLines) return;
    const text = noise.looksLikeProtocol ? undefined : redact(noise.text).slice(0, toldCharacters);
    const more = lines === toldLines ? "; further lines are not logged" : "";
    log.warn(
      { pid, characters: noise.text.length, text },
      `stdout holds a line that is no MCP message${more}`,
    );
  };
}
