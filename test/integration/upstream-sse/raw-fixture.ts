import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

export interface SeenRequest {
  readonly folder: string;
  readonly verb: string;
  readonly method: string | null;
  readonly params: Record<string, unknown> | null;
  readonly headers: Record<string, string>;
}

interface Stats {
  readonly seen: readonly SeenRequest[];
  /** Requests whose response is not at its end, streams above all. */
  readonly openExchanges: number;
  readonly changes: number;
}

export interface SseFixture extends StartedFixture {
  /** URL of a stream in a mode; each has a folder of its own, so that tests do not mix. */
  readonly at: (mode: string) => string;
  /** What the server saw in the folder of `url`, in order. */
  readonly seen: (url: string) => Promise<readonly SeenRequest[]>;
  /** Waits until what was seen fulfils a condition; rejects after two seconds. */
  readonly seeUntil: (
    url: string,
    done: (seen: readonly SeenRequest[]) => boolean,
  ) => Promise<readonly SeenRequest[]>;
  /** Waits until no request stands open; rejects after two seconds. */
  readonly allClosed: () => Promise<void>;
}

let folders = 0;

export async function startSseFixture(): Promise<SseFixture> {
  const fixture = await startFixture("sse/raw-server.ts");
  const stats = async (after = 0, signal?: AbortSignal) => {
    const response = await fetch(`${fixture.url}/stats?after=${after}`, signal ? { signal } : {});
    return (await response.json()) as Stats;
  };
  const until = async (done: (stats: Stats) => boolean): Promise<Stats> => {
    const deadline = AbortSignal.timeout(2_000);
    let now = await stats();
    while (!done(now)) now = await stats(now.changes + 1, deadline);
    return now;
  };
  return {
    ...fixture,
    at: (mode) => {
      folders += 1;
      const [name = "", query] = mode.split("?");
      return `${fixture.url}/${name}/${folders}/sse${query === undefined ? "" : `?${query}`}`;
    },
    seen: async (url) => inFolder(url, await stats()),
    seeUntil: async (url, done) => inFolder(url, await until((now) => done(inFolder(url, now)))),
    allClosed: async () => void (await until(({ openExchanges }) => openExchanges === 0)),
  };
}

function inFolder(url: string, { seen }: Stats): readonly SeenRequest[] {
  const { pathname } = new URL(url);
  return seen.filter(({ folder }) => pathname.startsWith(`${folder}/`));
}

/** How often the server got a JSON-RPC method. */
export function countOf(seen: readonly SeenRequest[], method: string): number {
  return seen.filter((request) => request.method === method).length;
}
