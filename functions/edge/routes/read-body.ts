import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type * as z from "zod";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { AppContext } from "../context.ts";
import { type BodyIssue, explainIssues } from "./explain-issues.ts";

/** Deepest nesting of a request body; deeper ones serve no one but an attacker. */
const maxDepth = 64;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads the request's whole body.
 * @throws GatewayError BODY_TOO_LARGE as soon as the limit is passed, MEDIA_TYPE_UNSUPPORTED for
 * an encoded or non-UTF-8 body.
 */
export async function readText(c: AppContext, maxBytes: number): Promise<string> {
  const bytes = await readRaw(c, maxBytes);
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new GatewayError("MEDIA_TYPE_UNSUPPORTED", "The body is not UTF-8 text.", { cause });
  }
}

/**
 * Reads the request's whole body as bytes, whatever they are.
 * @throws GatewayError BODY_TOO_LARGE as soon as the limit is passed, MEDIA_TYPE_UNSUPPORTED for
 * an encoded body.
 */
export async function readRaw(c: AppContext, maxBytes: number): Promise<Uint8Array> {
  const encoding = c.req.header("content-encoding") ?? "identity";
  if (encoding !== "identity") {
    throw new GatewayError(
      "MEDIA_TYPE_UNSUPPORTED",
      `The body is encoded as '${encoding.slice(0, 32)}'; send it uncompressed.`,
    );
  }
  return readBytes(c.req.raw, maxBytes);
}

/**
 * Reads a JSON body and checks its shape.
 * @throws GatewayError REQUEST_MALFORMED with line and column, REQUEST_INVALID with every issue.
 */
export async function readJson<Schema extends z.ZodType>(
  c: AppContext,
  maxBytes: number,
  schemaOf: (body: unknown) => Schema,
): Promise<z.output<Schema>> {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new GatewayError("MEDIA_TYPE_UNSUPPORTED", "The content type must be application/json.");
  }
  const body = parseBody(await readText(c, maxBytes));
  const schema = schemaOf(body);
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw invalid(explainIssues(read.error.issues, body, schema));
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (declared > 0) return readDeclared(request, maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  // The two runtimes' types differ in what a body's chunks are; they are bytes in both.
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return concatenate(chunks, length);
}

/** At once: a connection carries no more bytes than it has declared. */
async function readDeclared(request: Request, maxBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

function parseBody(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new GatewayError("REQUEST_MALFORMED", `The body is not valid JSON${placeOf(text)}.`, {
      cause,
    });
  }
  refuseHostileShape(body);
  return body;
}

/** JSON.parse does not say where it stopped; a second, tolerant reading does. */
function placeOf(text: string): string {
  const first = firstError(text);
  if (first === undefined) return "";
  const before = text.slice(0, first.offset).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return `: line ${before.length}, column ${column} (${printParseErrorCode(first.error)})`;
}

function firstError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors);
  } catch {
    // Nested deeper than the stack: that one goes by levels, as JSON.parse does not.
  }
  return errors[0];
}

/** Refuses nesting bombs and `__proto__` keys before anything walks or copies the body. */
function refuseHostileShape(body: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (value === null || typeof value !== "object") continue;
    if (depth > maxDepth) {
      throw invalid([{ pointer: "", message: `nested more than ${maxDepth} levels deep` }]);
    }
    if (Object.hasOwn(value, "__proto__")) {
      throw invalid([{ pointer: "", message: "the key __proto__ is not allowed" }]);
    }
    for (const item of Object.values(value)) open.push({ value: item, depth: depth + 1 });
  }
}

function invalid(issues: readonly BodyIssue[]): GatewayError {
  const [first] = issues;
  const more = issues.length > 1 ? ` (${issues.length - 1} more in details.issues)` : "";
  const place = first === undefined || first.pointer === "" ? "" : ` at '${first.pointer}'`;
  const end = first?.message.endsWith("?") === true && more === "" ? "" : ".";
  return new GatewayError(
    "REQUEST_INVALID",
    `The body does not fit${place}: ${first?.message ?? "unknown"}${more}${end}`,
    { details: { issues: issues.slice(0, 50) } },
  );
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError("BODY_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`, {
    details: { limit_bytes: maxBytes },
  });
}
