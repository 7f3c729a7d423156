import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import * as z from "zod";
import { makeTicketKeys } from "../../infra/start/ticket-keys.ts";
import type { DockerEngine } from "./docker-engine.ts";
import { dockerPlugins } from "./docker-plugins.ts";
import { hostImage } from "./host-image.ts";
import { until } from "./host-processes.ts";
import { root } from "./source-files.ts";

const run = promisify(execFile);
const readyWithinMs = 60_000;

/** What the host's log has said when it is ready; fails with the log when it does not come to that. */
export async function readyLine(engine: DockerEngine, name: string): Promise<unknown> {
  let log = "";
  const isReady = async () => {
    const { stderr } = await run("docker", ["--host", engine.host, "logs", name]);
    log = stderr;
    return log.includes("host ready");
  };
  await until("the host is ready", isReady, readyWithinMs).catch((cause: unknown) => {
    throw new TypeError(`the host said: ${log.slice(-2000)}`, { cause });
  });
  return JSON.parse(log.split("\n").find((line) => line.includes("host ready")) ?? "");
}

/** Runs docker compose by the project's file for a tenant; answers its stdout. */
export async function compose(
  engine: DockerEngine,
  tenant: string,
  ...args: string[]
): Promise<string> {
  const { publicKey } = await makeTicketKeys();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: tmpdir(),
    DOCKER_CONFIG: await dockerPlugins(),
    DOCKER_HOST: engine.host,
    TENANT: tenant,
    GANGWAY_HOST_IMAGE: hostImage,
    GANGWAY_HOST_TICKET_KEY: JSON.stringify(publicKey),
  };
  const all = ["compose", "--file", "infra/compose.yaml", ...args];
  return (await run("docker", all, { cwd: root, env })).stdout;
}

const containerSchema = z.looseObject({
  command: z.array(z.string()).default([]),
  securityContext: z.looseObject({
    runAsUser: z.int(),
    capabilities: z.looseObject({
      drop: z.array(z.string()),
      add: z.array(z.string()).default([]),
    }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
type ContainerSpec = z.infer<typeof containerSchema>;
const podSchema = z.looseObject({
  initContainers: z.array(containerSchema),
  containers: z.tuple([containerSchema]),
});

/** Starts a host as the deployment for Kubernetes says, as far as the engine has words for it. */
export async function startAsInKubernetes(engine: DockerEngine, name: string): Promise<void> {
  const file = join(root, "infra/kubernetes/base/deployment.yaml");
  const { spec } = parse(await readFile(file, "utf8"));
  const pod = podSchema.parse(spec.template.spec);
  const folders = await makeVolumes(engine, pod.containers[0]);
  for (const first of pod.initContainers) {
    const [program = "", ...args] = first.command;
    const options = ["--rm", ...rightsOf(first), ...folders, "--entrypoint", program];
    await engine.docker("run", ...options, hostImage, ...args);
  }
  const { publicKey } = await makeTicketKeys();
  const variable = `GANGWAY_HOST_TICKET_KEY=${JSON.stringify(publicKey)}`;
  const options = ["--detach", "--name", name, ...rightsOf(pod.containers[0]), ...folders];
  await engine.docker("run", ...options, "--env", variable, hostImage);
}

/** As an emptyDir is: of root, and everybody's to write. */
async function makeVolumes(engine: DockerEngine, host: ContainerSpec): Promise<string[]> {
  const mounts = host.volumeMounts.map(({ name, mountPath }) => [
    "-v",
    `k8s-${name}:${mountPath}:nocopy`,
  ]);
  const paths = host.volumeMounts.map(({ mountPath }) => mountPath);
  const options = ["--rm", ...mounts.flat(), "--entrypoint", "chmod"];
  await engine.docker("run", ...options, hostImage, "0777", ...paths);
  return mounts.flat();
}

function rightsOf({ securityContext }: ContainerSpec): string[] {
  const { drop, add } = securityContext.capabilities;
  return [
    ...drop.map((name) => `--cap-drop=${name}`),
    ...add.map((name) => `--cap-add=${name}`),
    ...(securityContext["allowPrivilegeEscalation"] === false
      ? ["--security-opt=no-new-privileges"]
      : []),
    ...(securityContext["readOnlyRootFilesystem"] === true ? ["--read-only"] : []),
    `--user=${securityContext.runAsUser}`,
  ];
}
