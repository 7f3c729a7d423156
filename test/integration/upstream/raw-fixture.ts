import { type StartedFixture, startFixture } from "../../support/start-fixture.ts";

export interface SeenRequest {
  readonly path: string;
  readonly verb: string;
  readonly method: string | null;
  readonly params: Record<string, unknown> | null;
  readonly headers: Record<string, string>;
  readonly open: boolean;
  readonly closedEarly: boolean;
}

export interface RawFixture extends StartedFixture {
  /** URL of a mode in an era. */
  readonly at: (era: "legacy" | "modern", mode: string) => string;
  /** What the server saw under the path of `url`, in order. */
  readonly seen: (url: string) => Promise<readonly SeenRequest[]>;
  /** Waits until what was seen fulfils a condition; rejects after two seconds. */
  readonly seeUntil: (
    url: string,
    done: (seen: readonly SeenRequest[]) => boolean,
  ) => Promise<readonly SeenRequest[]>;
  /** Waits until no request stands open, of whoever; rejects after two seconds. */
  readonly allClosed: () => Promise<void>;
}

let paths = 0;

/** Starts the raw server; `at` gives each caller a path of its own, so that tests do not mix. */
export async function startRawFixture(): Promise<RawFixture> {
  const fixture = await startFixture("http/raw-server.ts");
  const stats = async () =>
    (await (await fetch(`${fixture.url}/stats`)).json()) as readonly SeenRequest[];
  const seen = async (url: string): Promise<readonly SeenRequest[]> => {
    const { pathname } = new URL(url);
    return (await stats()).filter(({ path }) => path === pathname);
  };
  const until = async (
    look: () => Promise<readonly SeenRequest[]>,
    done: (seen: readonly SeenRequest[]) => boolean,
  ) => {
    const deadline = Date.now() + 2_000;
    for (;;) {
      const requests = await look();
      if (done(requests)) return requests;
      if (Date.now() > deadline)
        throw new TypeError(`not seen in time: ${JSON.stringify(requests.slice(-5))}`);
    }
  };
  return {
    ...fixture,
    at: (era, mode) => {
      paths += 1;
      const [name = "", query] = mode.split("?");
      return `${fixture.url}/${era}/${name}/${paths}${query === undefined ? "" : `?${query}`}`;
    },
    seen,
    seeUntil: (url, done) => until(() => seen(url), done),
    allClosed: async () => void (await until(stats, (all) => all.every(({ open }) => !open))),
  };
}

/** How often the server got a JSON-RPC method. */
export function countOf(seen: readonly SeenRequest[], method: string): number {
  return seen.filter((request) => request.method === method).length;
}
