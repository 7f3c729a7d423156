import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the front does with an operation instead of passing it on. */
export type FrontFault =
  /** Answers as AWS does when there are too many requests. */
  | { readonly kind: "throttle" }
  /** Never answers. */
  | { readonly kind: "hang" }
  /** Answers 500. */
  | { readonly kind: "fail" }
  /** Answers this body with status 200. */
  | { readonly kind: "answer"; readonly body: string };

export interface SecretsManagerFront {
  readonly url: string;
  /** Operations that arrived, in order: `GetSecretValue`, … */
  readonly operations: readonly string[];
  /** Ids that `GetSecretValue` and `BatchGetSecretValue` asked for, in order. */
  readonly ids: readonly string[];
  /** Forgets the operations so far. */
  readonly forget: () => void;
  /**
   * The fault of an operation, or of `operation id` alone, for its next `times` requests; without
   * one, all requests pass.
   */
  readonly fault: (operation: string, fault: FrontFault | null, times?: number) => void;
  readonly close: () => Promise<void>;
}

/**
 * Stands before an AWS emulator, hands requests on unchanged (their signatures cover the Host
 * header) and counts them; at wish it behaves as AWS does on a bad day.
 */
export async function startSecretsManagerFront(target: string): Promise<SecretsManagerFront> {
  const operations: string[] = [];
  const ids: string[] = [];
  const faults = new Map<string, { readonly fault: FrontFault; left: number }>();

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const operation = String(incoming.headers["x-amz-target"]).replace("secretsmanager.", "");
    operations.push(operation);
    const asked = askedIds(body);
    ids.push(...asked);
    const planned = [operation, ...asked.map((id) => `${operation} ${id}`)]
      .map((key) => faults.get(key))
      .find((fault) => fault !== undefined);
    if (planned === undefined || planned.left === 0) return pass(target, incoming, body, response);
    planned.left -= 1;
    misbehave(planned.fault, response);
  }

  const server = createServer((incoming, response) => void handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    operations,
    ids,
    forget: () => {
      operations.length = 0;
      ids.length = 0;
    },
    fault: (operation, fault, times = Infinity) => {
      if (fault === null) faults.delete(operation);
      else faults.set(operation, { fault, left: times });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function askedIds(body: Buffer): string[] {
  const { SecretId, SecretIdList } = JSON.parse(body.toString() || "{}");
  return [SecretId, SecretIdList].flat().filter((id) => typeof id === "string");
}

function pass(
  target: string,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const { hostname, port } = new URL(target);
  const { method, url, headers } = incoming;
  const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  onward.end(body);
}

function misbehave(fault: FrontFault, response: ServerResponse): void {
  const type = { "content-type": "application/x-amz-json-1.1" };
  switch (fault.kind) {
    case "hang":
      return;
    case "throttle":
      response.writeHead(400, { ...type, "x-amzn-errortype": "ThrottlingException" });
      response.end('{"__type":"ThrottlingException","message":"Rate exceeded"}');
      return;
    case "fail":
      response.writeHead(500, type);
      response.end('{"__type":"InternalServiceError","message":"oops"}');
      return;
    case "answer":
      response.writeHead(200, type);
      response.end(fault.body);
  }
}
