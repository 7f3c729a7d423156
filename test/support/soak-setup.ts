import { type Gangway, startGangway } from "./gangway.ts";
import { type StartedFixture, startFixture } from "./start-fixture.ts";

export interface SoakSetup extends AsyncDisposable {
  readonly gangway: Gangway;
  readonly servers: readonly string[];
}

const fixtures = [
  {
    name: "legacy",
    protocol: "legacy",
    transport: "http",
    program: "http/legacy-server.ts",
    path: "/mcp",
  },
  {
    name: "modern",
    protocol: "2026-07-28",
    transport: "http",
    program: "http/modern-server.ts",
    path: "/mcp",
  },
  {
    name: "events",
    protocol: "legacy",
    transport: "sse",
    program: "sse/sdk-server.ts",
    path: "/deep/sse",
  },
  {
    name: "socket",
    protocol: "legacy",
    transport: "websocket",
    program: "websocket/sdk-server.ts",
    path: "/",
  },
] as const;
const moreTenants = [
  "tenant-b",
  "tenant-c",
  "tenant-d",
  "tenant-e",
  "tenant-f",
  "tenant-g",
  "tenant-h",
];

/** Gangway with eight tenants and a server for each remote transport, both eras of HTTP. */
export async function startSoakSetup(): Promise<SoakSetup> {
  const started = await Promise.all(fixtures.map(({ program }) => startFixture(program)));
  const servers = fixtures.map(({ name, transport, path, protocol }, index) => ({
    name,
    type: "mcp",
    transport,
    url: urlOf(started[index], transport, path),
    // A machine with 256 calls in flight is slow: nothing here is about deadlines.
    protocol,
    timeout: 60,
  }));
  const gangway = await startGangway({ host: false, bare: true, servers, moreTenants });
  return {
    gangway,
    servers: fixtures.map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      await gangway.close();
      await Promise.all(started.map((fixture) => fixture.close()));
    },
  };
}

function urlOf(fixture: StartedFixture | undefined, transport: string, path: string): string {
  const url = new URL(path, fixture?.url);
  return transport === "websocket" ? url.href.replace(/^http/, "ws") : url.href;
}
