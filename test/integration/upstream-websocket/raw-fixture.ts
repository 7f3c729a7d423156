import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

export interface SeenMessage {
  readonly path: string;
  /** A JSON-RPC method, `(upgrade)` or `(close)`. */
  readonly method: string;
  /** Of a close frame, its code. */
  readonly params: unknown;
  /** Of the upgrade. */
  readonly headers: Record<string, string>;
}

interface Stats {
  readonly seen: readonly SeenMessage[];
  readonly open: number;
  readonly changes: number;
}

export interface WebSocketFixture extends StartedFixture {
  /** Origin of the WebSockets. */
  readonly origin: string;
  /** URL of a WebSocket in a mode; each has a path of its own, so that tests do not mix. */
  readonly at: (mode: string) => string;
  /** What the server saw at `url`, in order. */
  readonly seen: (url: string) => Promise<readonly SeenMessage[]>;
  /** Waits until the server saw a method at `url`; rejects after two seconds. */
  readonly seeUntil: (url: string, method: string) => Promise<void>;
  /** Waits until no connection stands open; rejects after two seconds. */
  readonly allClosed: () => Promise<void>;
}

let paths = 0;

export async function startWebSocketFixture(): Promise<WebSocketFixture> {
  const fixture = await startFixture("websocket/raw-server.ts");
  const origin = fixture.url.replace(/^http/, "ws");
  const stats = async (after = 0, signal?: AbortSignal) => {
    const response = await fetch(`${fixture.url}/stats?after=${after}`, signal ? { signal } : {});
    return (await response.json()) as Stats;
  };
  const until = async (done: (stats: Stats) => boolean): Promise<void> => {
    const deadline = AbortSignal.timeout(2_000);
    for (let now = await stats(); !done(now); now = await stats(now.changes + 1, deadline));
  };
  return {
    ...fixture,
    origin,
    at: (mode) => {
      paths += 1;
      const [name = "", query] = mode.split("?");
      return `${origin}/${name}/${paths}${query === undefined ? "" : `?${query}`}`;
    },
    seen: async (url) => at(url, await stats()),
    seeUntil: (url, method) => until((now) => at(url, now).some((one) => one.method === method)),
    allClosed: () => until(({ open }) => open === 0),
  };
}

function at(url: string, { seen }: Stats): readonly SeenMessage[] {
  const { pathname } = new URL(url);
  return seen.filter(({ path }) => path === pathname);
}
