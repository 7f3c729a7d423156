import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import {
  cancelTicketBody,
  type RunEvent,
  type RunRequest,
} from "../../shared/run-contract/contract.ts";
import { signTicket } from "../../shared/run-contract/ticket.ts";
import { endWithWorker } from "./end-with-worker.ts";

const main = new URL("../../functions/host/main.ts", import.meta.url).pathname;
const readyWithinMs = 60_000;

export interface StartedHost {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Parsed lines of the host's log so far. */
  readonly log: readonly Record<string, unknown>[];
  /** Every line that it has written so far, as it came. */
  readonly lines: readonly string[];
  /** The private half of the ticket key; tests forge with it. */
  readonly ticketKey: JWK;
  readonly sign: (body: Uint8Array, tenant?: string) => Promise<string>;
  /** Sends a run with a fresh ticket; the answer is not read yet. */
  readonly send: (request: RunRequest, signal?: AbortSignal) => Promise<Response>;
  /** Sends a run and reads its events to the end. */
  readonly run: (request: RunRequest) => Promise<RunEvent[]>;
  readonly cancel: (requestId: string) => Promise<Response>;
  /** Ends the host by a signal; resolves with its exit code when it is gone. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Ends the host if it still runs and removes its data. */
  readonly dispose: () => Promise<void>;
}

export interface StartHostOptions {
  readonly environment?: Record<string, string>;
  /** A program, with its arguments, that becomes the host: it may take rights from it before. */
  readonly through?: readonly [string, ...string[]];
  /** Kept after `dispose` when given. */
  readonly dataDir?: string;
}

/** Starts the real host as its own process on a free port. */
export async function startHost(options: StartHostOptions = {}): Promise<StartedHost> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "gangway-host-test-")));
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const ticketKey = await exportJWK(privateKey);
  const own = [process.execPath, main] as const;
  const [program, ...args] = options.through === undefined ? own : [...options.through, ...own];
  const child = spawn(program, args, {
    // An inherited output would stay open for as long as the host runs, and the test run with it.
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...surroundings(),
      GANGWAY_HOST_PORT: "0",
      GANGWAY_HOST_TICKET_KEY: JSON.stringify(await exportJWK(publicKey)),
      GANGWAY_HOST_DATA_DIR: dataDir,
      GANGWAY_HOST_LOG_LEVEL: "debug",
      GANGWAY_HOST_METADATA_ADDRESS: "none",
      // Launches are isolated where root runs the tests; elsewhere they still run.
      GANGWAY_HOST_DEVELOPMENT: "true",
      ...options.environment,
    },
  });
  const forget = endWithWorker({ child, folder: options.dataDir === undefined ? dataDir : null });
  child.once("exit", forget);
  const log: Record<string, unknown>[] = [];
  const lines: string[] = [];
  const port = await readyPort(child, { log, lines });
  const url = `http://127.0.0.1:${port}`;
  const sign = (body: Uint8Array, tenant = "acme") =>
    signTicket(ticketKey, { tenant, body, nowS: Math.floor(Date.now() / 1000) });
  const send = async (request: RunRequest, signal?: AbortSignal) => {
    const body = new TextEncoder().encode(JSON.stringify(request));
    const headers = {
      authorization: `Bearer ${await sign(body, request.tenant)}`,
      "content-type": "application/json",
    };
    return fetch(`${url}/v1/run`, {
      method: "POST",
      body,
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
  };
  const end = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    log,
    lines,
    ticketKey,
    sign,
    send,
    run: async (request) => readEvents(await send(request)),
    cancel: async (requestId) => {
      const ticket = await sign(cancelTicketBody(requestId));
      return fetch(`${url}/v1/runs/${encodeURIComponent(requestId)}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${ticket}` },
      });
    },
    end,
    dispose: async () => {
      await end();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What a machine behind a proxy or with a certificate authority of its own needs for npm. */
function surroundings(): Record<string, string> {
  const names = ["PATH", "NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
  return Object.fromEntries(
    names.map((name) => [name, process.env[name] ?? ""]).filter(([, value]) => value !== ""),
  );
}

/** Reads NDJSON events as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<RunEvent> {
  if (response.status !== 200)
    throw new TypeError(`the host answered ${response.status}: ${await response.text()}`);
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

/** Sends a call; resolves, when the server has it, with the events that are still to come. */
export async function occupy(
  host: StartedHost,
  request: RunRequest,
  signal?: AbortSignal,
): Promise<AsyncGenerator<RunEvent>> {
  const events = eventsOf(await host.send(request, signal));
  for (let next = await events.next(); next.value?.event !== "sent"; next = await events.next()) {
    if (next.done === true || next.value.event === "error")
      throw new TypeError(`the call was not sent: ${JSON.stringify(next.value)}`);
  }
  return events;
}

/** Reads a run's events to the end; `onEvent` is told of each as it comes. */
export async function readEvents(
  from: Response | AsyncIterable<RunEvent>,
  onEvent: (event: RunEvent) => unknown = () => undefined,
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of from instanceof Response ? eventsOf(from) : from) {
    events.push(event);
    await onEvent(event);
  }
  return events;
}

interface HostOutput {
  readonly log: Record<string, unknown>[];
  readonly lines: string[];
}

async function readyPort(child: ChildProcess, { log, lines }: HostOutput): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const timer = setTimeout(() => {
    reject(new TypeError(`no host after ${readyWithinMs} ms`));
    child.kill("SIGKILL");
  }, readyWithinMs);
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      if (!line.startsWith("{")) return;
      const record: Record<string, unknown> = JSON.parse(line);
      log.push(record);
      if (record["msg"] === "host ready") resolve(Number(record["port"]));
    });
  }
  child.once("exit", (code) =>
    reject(new TypeError(`the host ended with ${code}: ${lines.join("\n")}`)),
  );
  return promise.finally(() => clearTimeout(timer));
}
