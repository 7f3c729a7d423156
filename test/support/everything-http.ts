import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** The reference server's program. */
export const everythingProgram = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);

export interface EverythingHttp {
  /** Its MCP endpoint. */
  readonly url: string;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

/** Starts the reference server over streamable HTTP on a free loopback port. */
export async function startEverythingHttp(): Promise<EverythingHttp> {
  const port = await freePort();
  const child = spawn(process.execPath, [everythingProgram, "streamableHttp"], {
    env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  for await (const chunk of child.stderr) if (String(chunk).includes("listening")) break;
  // Its chatter must not fill the pipe.
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    pid: child.pid ?? 0,
    close: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** A loopback port that was free a moment ago, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
