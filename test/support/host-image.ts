import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DockerEngine } from "./docker-engine.ts";
import { importNodeImage, nodeImage } from "./docker-images.ts";
import { dockerPlugins } from "./docker-plugins.ts";
import { root } from "./source-files.ts";

const run = promisify(execFile);

export const hostImage = "gangway-host:test";
export const egressImage = "gangway-egress:test";

const offline = ["--network=none"];
const egressDockerfile = `FROM ${nodeImage}
COPY egress-stand-in.mjs /
ENTRYPOINT ["node", "/egress-stand-in.mjs"]
`;

/** Where the engine's containers reach the registry of the test, once it is opened to them. */
export const registryInEngine = "172.31.255.1:4873";

/** The host's image with packages of that registry. */
export async function buildPrewarmed(
  engine: DockerEngine,
  image: string,
  packages: string,
): Promise<void> {
  const variables = [`PREWARM=${packages}`, `GANGWAY_HOST_NPM_REGISTRY=http://${registryInEngine}`];
  const args = variables.flatMap((variable) => ["--build-arg", variable]);
  const file = ["-f", "infra/Dockerfile", "--target", "host", "-t", image];
  await build(engine, root, ["--network=default", ...file, ...args]);
}

/** The host's image, and the stand-in of the side-car, built without any network. */
export async function buildImages(engine: DockerEngine): Promise<void> {
  await importNodeImage(engine);
  await build(engine, root, [
    ...offline,
    "-f",
    "infra/Dockerfile",
    "--target",
    "host",
    "-t",
    hostImage,
  ]);
  const folder = await mkdtemp(join(tmpdir(), "gangway-egress-"));
  await writeFile(join(folder, "Dockerfile"), egressDockerfile);
  const program = new URL("../fixtures/docker/egress-stand-in.mjs", import.meta.url);
  await cp(program, join(folder, "egress-stand-in.mjs"));
  await build(engine, folder, [...offline, "-t", egressImage]);
  await rm(folder, { recursive: true, force: true });
}

async function build(engine: DockerEngine, cwd: string, args: readonly string[]): Promise<void> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: tmpdir(),
    DOCKER_CONFIG: await dockerPlugins(),
  };
  const all = ["--host", engine.host, "buildx", "build", "--load", ...args, "."];
  await run("docker", all, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
}
