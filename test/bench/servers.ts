// Starts, lists and stops real npm servers through the host, and by npx; writes docs/servers.md: `npm run servers`.
import { execFile } from "node:child_process";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { byNpx } from "../support/real-servers/by-npx.ts";
import { type RealServer, realServers } from "../support/real-servers/server-list.ts";
import { type ServerReport, serversPage } from "../support/real-servers/servers-page.ts";
import { type HostOutcome, throughHost } from "../support/real-servers/through-host.ts";
import { root } from "../support/source-files.ts";

const { values } = parseArgs({
  options: {
    /** Part of a package's name; the page is written only when all are asked for. */
    only: { type: "string", default: "" },
    "side-by-side": { type: "string", default: "2" },
    /** A file of reports, a line each: a run that was broken off goes on where it stopped. */
    reports: { type: "string", default: "" },
  },
});

const wanted = realServers.filter((server) => server.package.includes(values.only));
const reports: ServerReport[] = await readReports();
const waiting = wanted.filter((server) => reportOf(server) === undefined);
const work = async (): Promise<void> => {
  for (let server = waiting.shift(); server !== undefined; server = waiting.shift()) {
    const report = { server, host: await tryHost(server), npx: await byNpx(server) };
    reports.push(report);
    if (values.reports !== "") await appendFile(values.reports, `${JSON.stringify(report)}\n`);
    process.stderr.write(`${reports.length}/${wanted.length} ${told(report)}\n`);
  }
};
await Promise.all(Array.from({ length: Number(values["side-by-side"]) }, work));

const inOrder = wanted.flatMap((server) => reportOf(server) ?? []);
const listed = inOrder.filter(({ host }) => host.ok);
if (values.only === "") await writePage(serversPage(inOrder));
process.stdout.write(`${listed.length} of ${wanted.length} servers list their tools\n`);
process.exitCode = listed.length > 0 ? 0 : 1;

async function readReports(): Promise<ServerReport[]> {
  const text = values.reports === "" ? "" : await readFile(values.reports, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ServerReport);
}

function reportOf({ package: name, version }: RealServer): ServerReport | undefined {
  return reports.find(({ server }) => server.package === name && server.version === version);
}

async function tryHost(server: RealServer): Promise<HostOutcome> {
  return throughHost(server).catch((error: unknown) => {
    return { ok: false, code: "none", message: String(error), tail: String(error) };
  });
}

function told({ server, host, npx }: ServerReport): string {
  const own = host.ok
    ? `${host.measure.tools} tools, second start ${host.measure.secondMs.toFixed(0)} ms, ${host.measure.memoryMiB.toFixed(0)} MiB, ends by ${host.measure.ending}`
    : `${host.code}: ${host.message}`;
  const other = npx.ok
    ? `${npx.measure.ms.toFixed(0)} ms, ${npx.measure.memoryMiB.toFixed(0)} MiB`
    : npx.reason;
  return `${server.package}: ${own.slice(0, 200)} | by npx: ${other.slice(0, 160)}`;
}

async function writePage(text: string): Promise<void> {
  const page = join(root, "docs/servers.md");
  await writeFile(page, text);
  await promisify(execFile)(join(root, "node_modules/.bin/oxfmt"), [page], { cwd: root });
}
