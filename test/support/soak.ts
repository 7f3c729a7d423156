import { type CanaryPlace, canaryPlaces, makeCanary, placingOf } from "./canary.ts";
import type { Gangway } from "./gangway.ts";

export type SoakTarget = Pick<Gangway, "url" | "keys">;

export interface SoakOptions {
  readonly calls: number;
  readonly inFlight: number;
  /** Names of the servers, each of which has the fixture tools. */
  readonly servers: readonly string[];
  /** Told after every thousandth call. */
  readonly onProgress?: (done: number) => void;
}

/** How many calls came to which end; ids of the calls whose end was wrong. */
export interface SoakReport {
  readonly answered: number;
  readonly cancelled: number;
  readonly disconnected: number;
  /** The answer says that the connection to the server was lost. */
  readonly lost: readonly string[];
  /** Another call's canary was in the answer. */
  readonly foreign: readonly string[];
  /** The answer did not hold the call's own canary. */
  readonly missing: readonly string[];
}

type Manner = "answered" | "cancelled" | "disconnected";

interface SoakCall {
  readonly id: string;
  readonly canary: string;
  readonly tenant: string;
  readonly server: string;
  readonly place: CanaryPlace;
  readonly manner: Manner;
  readonly ms: number;
}

interface Ended {
  readonly manner: Manner;
  readonly answer: string;
}

/** Longest that a server holds a call, milliseconds. */
const longestMs = 40;

/**
 * Sends many calls of many tenants over all servers at once and looks for canaries that came back
 * to another call. One call in twenty is cancelled before its answer, one in twenty loses its
 * connection in the middle of a stream; what comes of them until then must be their own as well.
 */
export async function soak(gangway: SoakTarget, options: SoakOptions): Promise<SoakReport> {
  const report = { answered: 0, cancelled: 0, disconnected: 0, lost: [], foreign: [], missing: [] };
  const ids: Record<"lost" | "foreign" | "missing", string[]> = report;
  const tenants = [...gangway.keys.keys()];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < options.calls) {
      const call = planCall(next, tenants, options.servers);
      next += 1;
      const { manner, answer } = await runCall(gangway, call);
      report[manner] += 1;
      const placing = placingOf(call.canary, answer);
      // Nothing need have come of a call that was given up.
      if (placing === "foreign" || (placing !== "right" && manner === "answered")) {
        ids[placing].push(`${call.id}: ${answer.slice(0, 300)}`);
      }
      done += 1;
      if (done % 1_000 === 0) options.onProgress?.(done);
    }
  };
  await Promise.all(Array.from({ length: options.inFlight }, work));
  return report;
}

/** The call of that number: every combination of tenant, server, place and manner comes up. */
function planCall(index: number, tenants: readonly string[], servers: readonly string[]): SoakCall {
  const tenant = pick(tenants, index);
  const server = pick(servers, Math.floor(index / tenants.length));
  const place = pick(canaryPlaces, Math.floor(index / (tenants.length * servers.length)));
  const manner = manners[index % 20] ?? "answered";
  const id = `${index} ${tenant} ${server} ${place} ${manner}`;
  return {
    id,
    canary: makeCanary(index),
    tenant,
    server,
    place,
    manner,
    ms: (index * 37) % longestMs,
  };
}

const manners: Readonly<Record<number, Manner>> = { 7: "cancelled", 13: "disconnected" };

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new TypeError("there is nothing to pick from");
  return item;
}

async function runCall(gangway: SoakTarget, call: SoakCall): Promise<Ended> {
  const abort = new AbortController();
  const { manner } = call;
  const timer = manner === "cancelled" ? setTimeout(() => abort.abort(), call.ms / 2) : undefined;
  try {
    const response = await fetch(
      `${gangway.url}/v1/tools/call`,
      requestOf(gangway, call, abort.signal),
    );
    if (manner !== "disconnected") return { manner: "answered", answer: await response.text() };
    // The first piece of the stream, and no more.
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    abort.abort();
    return { manner, answer: new TextDecoder().decode(value) };
  } catch (error) {
    if (abort.signal.aborted) return { manner, answer: "" };
    return { manner: "answered", answer: String(error) };
  } finally {
    clearTimeout(timer);
  }
}

function requestOf(
  { keys }: SoakTarget,
  { canary, tenant, server, place, manner, ms }: SoakCall,
  signal: AbortSignal,
): RequestInit {
  const streams = place === "progress" || manner === "disconnected";
  return {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys.get(tenant)}`,
      "content-type": "application/json",
      accept: streams ? "text/event-stream" : "application/json",
    },
    body: JSON.stringify({ server, tool: "canary", arguments: { text: canary, as: place, ms } }),
    signal,
  };
}
