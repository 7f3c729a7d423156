import { everythingProgram, startEverythingHttp } from "../support/everything-http.ts";
import { type Call, warmStdioClient } from "./direct-clients.ts";
import { startDeployed } from "./deployed.ts";
import { freshSessionCaller, gangwayCaller, hostCaller, sessionCaller } from "./host-callers.ts";
import { type Bridge, startMcpProxy, startSupergateway } from "./host-peers.ts";
import { measureWays, type Way, type WayMeasure } from "./host-rounds.ts";

const everything = { package: "@modelcontextprotocol/server-everything", version: "2026.8.31" };
const echo: Call = { tool: "echo", arguments: { message: "hello" }, expected: "Echo: hello" };
const name = "everything";
const entry = {
  name,
  type: "mcp",
  description: "The reference server.",
  command: "npx",
  args: ["-y", `${everything.package}@${everything.version}`],
};

/** A bridge may start a process for each session: few callers are enough. */
export const sessionCallers = 4;

export interface WarmMeasures {
  readonly oneCaller: readonly WayMeasure[];
  readonly manyCallers: readonly WayMeasure[];
  /** Callers that keep no session, `sessionCallers` of them. */
  readonly freshSessions: readonly WayMeasure[];
}

/** Rounds of warm calls to the reference server: at one caller, and at `callers`. */
export async function measureWarmCalls(rounds: number, callers: number): Promise<WarmMeasures> {
  await using open = new AsyncDisposableStack();
  const gangway = open.adopt(await startDeployed([entry]), ({ close }) => close());
  const direct = open.adopt(await warmStdioClient(everythingProgram, echo), ({ close }) => close());
  const close = (bridge: Bridge) => bridge.close();
  const mcpProxy = open.adopt(await startMcpProxy(), close);
  const supergateway = open.adopt(await startSupergateway(), close);
  const ownHttp = open.adopt(await startEverythingHttp(), (server) => server.close());
  const straight: Way = { name: "direct, warm stdio client", call: direct.run, pids: [] };
  const own: readonly Way[] = [
    {
      name: "Gangway, the host alone",
      ...hostCaller(gangway.host, everything, echo),
      pids: [gangway.host.pid],
    },
    {
      name: "Gangway, edge and host",
      call: gangwayCaller(gangway, name, echo),
      pids: gangway.pids,
    },
  ];
  const bridges: readonly Way[] = [
    await overSession(mcpProxy),
    await overSession(supergateway),
    await overSession({ ...ownHttp, name: "the server's own streamable HTTP" }),
  ];
  const one = { rounds, callsARound: 100, callers: 1 };
  const many = { rounds, callsARound: 10 * callers, callers };
  const few = { rounds: 2, callsARound: 4 * sessionCallers, callers: sessionCallers };
  const fresh = [mcpProxy, supergateway].map(inFreshSessions);
  return {
    oneCaller: await measureWays([straight, ...bridges, ...own], one),
    manyCallers: await measureWays([straight, ...bridges, ...own], many),
    freshSessions: await measureWays([...fresh, ...own], few),
  };
}

async function overSession({ name: bridge, url, pid }: Bridge): Promise<Way> {
  return { name: bridge, call: await sessionCaller(url, echo), pids: [pid] };
}

/** Processes may end with their sessions: their processor time is not to be had afterwards. */
function inFreshSessions({ name: bridge, url }: Bridge): Way {
  return { name: bridge, call: freshSessionCaller(url, echo), pids: [] };
}
