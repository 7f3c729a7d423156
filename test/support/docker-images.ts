import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { DockerEngine } from "./docker-engine.ts";
import { pythonServerModule } from "./pipx-stand-in.ts";
import type { PythonMcp } from "./python-mcp-setup.ts";

const run = promisify(execFile);

/** The image of the stdio fixtures; its first argument names the program. */
export const fixtureImage = { package: "fixture/stdio", version: "1.0.0" };

const starter = `
import { existsSync } from "node:fs";
const [program, ...args] = process.argv.splice(2);
process.argv.push(...args);
const own = "/srv/docker/" + program + ".mjs";
await import(existsSync(own) ? own : "/srv/stdio/" + program + ".mjs");
`;

/**
 * Makes an image of this Node, the C library that it needs and the stdio fixture programs, and
 * imports it: no registry is at hand.
 */
export async function importFixtureImage(engine: DockerEngine): Promise<void> {
  await importImage(engine, {
    image: `${fixtureImage.package}:${fixtureImage.version}`,
    changes: ['ENTRYPOINT ["/usr/bin/node", "/srv/start.mjs"]', "VOLUME /scratch"],
    fill: async (root) => {
      await copyProgram(process.execPath, root, "/usr/bin/node");
      for (const folder of ["stdio", "docker"]) {
        const fixtures = new URL(`../fixtures/${folder}/`, import.meta.url);
        await cp(fixtures, join(root, "srv", folder), { recursive: true });
      }
      await writeFile(join(root, "srv", "start.mjs"), starter);
      await mkdir(join(root, "tmp"));
    },
  });
}

/** A server in Python on Debian's own interpreter, whatever the image is called. */
export async function importPythonImage(engine: DockerEngine, image: string): Promise<void> {
  await importImage(engine, {
    image,
    changes: ['ENTRYPOINT ["/usr/bin/python3", "/srv/server.py"]'],
    fill: async (root) => {
      const python = await realpath("/usr/bin/python3");
      await copyProgram(python, root, "/usr/bin/python3");
      const library = `/usr/lib/${basename(python)}`;
      const filter = (path: string) => !/\/(?:test|idlelib|config-[^/]*|__pycache__)$/.test(path);
      await cp(library, join(root, library), { recursive: true, dereference: true, filter });
      await mkdir(join(root, "srv"));
      await writeFile(join(root, "srv", "server.py"), `${pythonServerModule}\nmain()\n`);
    },
  });
}

/** The public name of the base image of the host's Dockerfile. */
export const nodeImage = "node:24-bookworm-slim";

const systemPrograms = ["setpriv", "prlimit", "flock", "tini"];

/**
 * A stand-in for the public Node image, under its name: this Node, npm as the machine has it, a
 * shell, and the system's own programs that the host and its Dockerfile use.
 */
export async function importNodeImage(engine: DockerEngine): Promise<void> {
  await importImage(engine, {
    image: nodeImage,
    changes: ["ENV PATH=/usr/local/bin:/usr/bin:/bin", 'CMD ["node"]'],
    fill: async (root) => {
      await copyProgram(process.execPath, root, "/usr/local/bin/node");
      for (const program of systemPrograms) {
        await copyProgram(`/usr/bin/${program}`, root, `/usr/bin/${program}`);
      }
      await copyShell(root);
      const npm = dirname(dirname(await realpath("/usr/bin/npm")));
      await cp(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
      await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
      for (const folder of ["etc", "root", "run", "var/lib"]) {
        await mkdir(join(root, folder), { recursive: true });
      }
      await writeFile(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
      for (const folder of ["tmp", "var/tmp"]) {
        await mkdir(join(root, folder), { recursive: true });
        await chmod(join(root, folder), 0o1777);
      }
    },
  });
}

/** A shell and the usual small programs, under all of their names. */
async function copyShell(root: string): Promise<void> {
  await symlink("usr/bin", join(root, "bin"));
  await copyFile("/bin/busybox", join(root, "usr/bin/busybox"));
  const { stdout } = await run("/bin/busybox", ["--list"]);
  const others = new Set(["busybox", ...systemPrograms]);
  const names = stdout.split("\n").filter((name) => name !== "" && !others.has(name));
  await Promise.all(names.map((name) => symlink("busybox", join(root, "usr/bin", name))));
}

/**
 * A server of Python's MCP SDK on the Python that `root` holds, unpacked from Debian's packages:
 * the image's whole file system is that one and the server.
 */
export async function importPythonMcpImage(
  engine: DockerEngine,
  { image, python }: { readonly image: string; readonly python: PythonMcp },
): Promise<void> {
  const [loader, ...args] = python.command;
  const root = loader.slice(0, loader.indexOf("/usr/lib/"));
  const inImage = (text: string) => text.replaceAll(root, "");
  const entrypoint = [loader, ...args].map(inImage);
  const variables = Object.entries(python.env).map(
    ([name, value]) => `ENV ${name}=${inImage(value)}`,
  );
  await importImage(engine, {
    image,
    changes: [
      `ENTRYPOINT ${JSON.stringify([...entrypoint, "/srv/stdio_server.py"])}`,
      ...variables,
    ],
    fill: async (folder) => {
      // What was compiled when it was unpacked counts by the time of its source.
      const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
      await cp(join(root, "usr"), join(folder, "usr"), options);
      await mkdir(join(folder, "srv"));
      await mkdir(join(folder, "tmp"));
      const server = new URL("../fixtures/python/stdio_server.py", import.meta.url);
      await cp(server, join(folder, "srv", "stdio_server.py"));
    },
  });
}

interface ImageParts {
  readonly image: string;
  /** Lines of a Dockerfile that set how it starts. */
  readonly changes: readonly string[];
  readonly fill: (root: string) => Promise<void>;
}

async function importImage(
  engine: DockerEngine,
  { image, changes, fill }: ImageParts,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "gangway-image-"));
  try {
    await fill(root);
    const tar = spawn("tar", ["-c", "-C", root, "."], { stdio: ["ignore", "pipe", "inherit"] });
    const options = changes.flatMap((change) => ["--change", change]);
    const importing = spawn("docker", ["--host", engine.host, "import", ...options, "-", image], {
      stdio: [tar.stdout, "ignore", "inherit"],
    });
    const [code] = await once(importing, "close");
    if (code !== 0) throw new TypeError(`docker import of ${image} ended with ${code}`);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Copies a program and the shared libraries that it is linked with. */
async function copyProgram(from: string, root: string, to: string): Promise<void> {
  await copyFile(from, join(root, to));
  const { stdout } = await run("ldd", [from]);
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  await Promise.all(libraries.map((path) => copyFile(path, join(root, path))));
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { dereference: true });
}
