import type { ServerResponse } from "node:http";

/** Answers with a JSON value, and with nothing after it. */
export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response
    .writeHead(status, { "content-type": "application/json", "content-length": body.byteLength })
    .end(body);
}
