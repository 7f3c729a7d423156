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

type SelfCheckAnswer = z.infer<typeof answerSchema>;

/** npm's codes for a registry that does not answer. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/;
/** npm's codes for a registry whose certificate it does not trust. */
const untrusted =
  /\b(CERT_UNTRUSTED|UNABLE_TO_(?:GET|VERIFY)_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*)\b/;

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

async function callEcho(edge: string, key: string): Promise<SelfCheckAnswer> {
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

/** Why the self-check failed, with what to do. */
export function explain({ error }: SelfCheckAnswer, text: string): string {
  if (error === undefined) return `The self-check got another answer than it sent: '${text}'.`;
  const tail = error.details?.stderr_tail ?? "";
  const failed = `The self-check could not install ${exampleServer.args[1]}:`;
  const [certificate] = untrusted.exec(tail) ?? [];
  if (certificate !== undefined) {
    return `${failed} the certificate of the npm registry, or of a proxy before it, is not trusted (${certificate}); set NODE_EXTRA_CA_CERTS to the PEM file of its CA.`;
  }
  const [code] = unreachable.exec(tail) ?? [];
  if (code !== undefined) {
    return `${failed} the npm registry cannot be reached (${code}); check the network and the proxy, or name a mirror with \`npm config set registry URL\`.`;
  }
  const told = `The self-check failed with ${error.code}: ${error.message} ${error.hint}`;
  return tail === "" ? told : `${told}\ndetails.stderr_tail:\n${tail}`;
}
