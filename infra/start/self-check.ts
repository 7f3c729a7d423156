import * as z from "zod";
import { exampleServer } from "./example-server.ts";
import { StartError } from "./start-error.ts";

const message = "Hello from Gangway";
/** A cold install of the package, and its start. */
const selfCheckMs = 180_000;

const answerSchema = z.looseObject({
  success: z.boolean(),
  content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
  error: z
    .looseObject({
      code: z.string(),
      message: z.string(),
      hint: z.string(),
      details: z.looseObject({ stderr_tail: z.string().optional() }).optional(),
    })
    .optional(),
});

/** npm's codes for a registry that does not answer. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/;

/**
 * Calls `echo` of a real npm server through edge and host; answers the text that came back.
 * @throws StartError with the remedy when it does not come back.
 */
export async function selfCheck(edge: string, key: string): Promise<string> {
  const answer = await callEcho(edge, key);
  const text = answer.content?.[0]?.text ?? "";
  if (answer.success && text.includes(message)) return text;
  throw new StartError(explain(answer, text));
}

async function callEcho(edge: string, key: string): Promise<z.infer<typeof answerSchema>> {
  try {
    const response = await fetch(`${edge}/v1/tools/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        config: { tools: [exampleServer] },
        tool: "echo",
        arguments: { message },
      }),
      signal: AbortSignal.timeout(selfCheckMs),
    });
    return answerSchema.parse(await response.json());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(
      `The self-check got no answer from the edge (${reason}): look into its log.`,
      { cause },
    );
  }
}

function explain({ error }: z.infer<typeof answerSchema>, text: string): string {
  if (error === undefined) return `The self-check got another answer than it sent: '${text}'.`;
  const [code] = unreachable.exec(error.details?.stderr_tail ?? "") ?? [];
  if (code !== undefined) {
    return `The self-check could not install ${exampleServer.args[1]}: the npm registry cannot be reached (${code}); check the network and the proxy, or name a mirror with \`npm config set registry URL\`.`;
  }
  return `The self-check failed with ${error.code}: ${error.message} ${error.hint}`;
}
