import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../support/host-processes.ts";
import { survivors } from "../../support/process-tree.ts";
import { realServers } from "../../support/real-servers/server-list.ts";
import { listRequest, serverProcesses } from "../../support/real-servers/through-host.ts";
import { resultOf } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";

const within = { timeout: 240_000 };
const six = [
  ["@modelcontextprotocol/server-filesystem", 14],
  ["@modelcontextprotocol/server-memory", 9],
  ["@modelcontextprotocol/server-sequential-thinking", 1],
  ["@modelcontextprotocol/server-github", 26],
  ["@modelcontextprotocol/server-brave-search", 2],
  ["@upstash/context7-mcp", 2],
] as const;

let host: StartedHost;

beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.dispose());

function requestOf(name: string) {
  const server = realServers.find((one) => one.package === name);
  if (server === undefined) throw new TypeError(`${name} is not in the list`);
  return listRequest(server, "tools/list");
}

describe("six real servers of the list that `npm run servers` measures", () => {
  it.each(six)("%s starts and lists its %i tools", within, async (name, count) => {
    const { result } = resultOf(await host.run(requestOf(name)));
    expect(result["tools"]).toHaveLength(count);
  });

  it("run directly, with no package runner, and end when nobody uses them", within, async () => {
    await Promise.all(six.map(async ([name]) => resultOf(await host.run(requestOf(name)))));
    const running = serverProcesses(host);
    expect(running).toHaveLength(six.length);
    expect(running.filter(({ command }) => /\bnpx?\b/.test(command.split(" ")[1] ?? ""))).toEqual(
      [],
    );
    await until("they have ended", () => survivors(running).length === 0, 30_000);
  });
});
