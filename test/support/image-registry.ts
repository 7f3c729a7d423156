import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DockerEngine } from "./docker-engine.ts";

const run = promisify(execFile);
const program = new URL("image-registry-program.ts", import.meta.url).pathname;

/** An option of the engine that makes it ask this registry in place of the public one. */
export const registryMirror = "--registry-mirror http://127.0.0.1:5000";
/** The image that it serves: a server of a few lines of shell with one tool, `hello`. */
export const servedImage = { package: "fixture/pulled", version: "1.0.0" };

export interface ImageRegistry {
  /** The served image's digest. */
  readonly digest: string;
  /** `GET` paths that were asked for, in order. */
  readonly requests: readonly string[];
  /** Layers are not answered until `release`. */
  readonly hold: () => void;
  readonly release: () => void;
  readonly close: () => Promise<void>;
}

const server = `#!/bin/sh
while read -r line; do
  id=\${line##*'"id":'}
  id=\${id%%[!0-9]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"hello","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) result='{"content":[{"type":"text","text":"hello from a shell"}]}' ;;
    *) continue ;;
  esac
  echo '{"jsonrpc":"2.0","id":'$id',"result":'$result'}'
done
`;

/** Starts the registry inside the engine's network, where no one else can reach it. */
export async function startImageRegistry(engine: DockerEngine): Promise<ImageRegistry> {
  const folder = await mkdtemp(join(tmpdir(), "gangway-registry-"));
  const { layer, config } = await makeImage(folder);
  const args = [layer, config, servedImage.package, servedImage.version];
  const child = spawn(
    "nsenter",
    [`--net=/proc/${engine.pid}/ns/net`, process.execPath, program, ...args],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const requests: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  child.on("message", (message: { request?: string; ready?: string }) => {
    if (message.request !== undefined) requests.push(message.request);
    if (message.ready !== undefined) resolve(message.ready);
  });
  child.once("exit", (code) => reject(new TypeError(`the image registry ended with ${code}`)));
  return {
    digest: await ready,
    requests,
    hold: () => void child.send("hold"),
    release: () => void child.send("release"),
    close: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeImage(folder: string): Promise<{ layer: string; config: string }> {
  const bin = join(folder, "root", "bin");
  await mkdir(bin, { recursive: true });
  await copyFile("/bin/busybox", join(bin, "busybox"));
  await symlink("busybox", join(bin, "sh"));
  await writeFile(join(bin, "server"), server);
  await chmod(join(bin, "server"), 0o755);
  const layer = join(folder, "layer.tar");
  await run("tar", ["-c", "-f", layer, "-C", join(folder, "root"), "."]);
  const config = join(folder, "config.json");
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const parts = { architecture, os: "linux", config: { Entrypoint: ["/bin/server"] } };
  await writeFile(config, JSON.stringify(parts));
  return { layer, config };
}
