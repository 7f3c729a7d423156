import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { parse } from "smol-toml";
import * as z from "zod";
import { workerConfig } from "../../infra/start/worker-config.ts";
import { makeApiKey } from "../../shared/api/api-key.ts";
import { deploymentOf, type GangwayOptions } from "./gangway.ts";
import { hostImage } from "./host-image.ts";
import { root } from "./source-files.ts";

export interface RunnerOptions extends GangwayOptions {
  /** Further variables of the runner. */
  readonly runnerVars?: Readonly<Record<string, string>>;
}

export interface RunnerConfigs {
  /** Of the Worker that is asked first, and of those behind it. */
  readonly files: readonly string[];
  /** The key of each tenant. */
  readonly keys: ReadonlyMap<string, string>;
  /** The private half. */
  readonly ticketKey: JWK;
}

const runnerSchema = z.looseObject({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.string(),
  containers: z.array(z.looseObject({ class_name: z.string(), max_instances: z.int() })).length(1),
});
const edgeSchema = z.looseObject({ name: z.string() });

/** The projects' own configs, with a deployment, keys and an image of the test. */
export async function writeRunnerConfigs(
  folder: string,
  options: RunnerOptions,
): Promise<RunnerConfigs> {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const ticketKey = await exportJWK(privateKey);
  const keys = new Map<string, string>();
  for (const [index, tenant] of ["acme", ...(options.moreTenants ?? [])].entries()) {
    keys.set(tenant, await makeApiKey("test", `ten${index}`));
  }
  const deploymentFile = join(folder, "deployment.json");
  await writeFile(deploymentFile, JSON.stringify(await deploymentOf(options, keys)));
  const vars = { GANGWAY_TICKET_KEY: JSON.stringify(ticketKey), ...options.vars };
  const edgeText = workerConfig(join(root, "wrangler.toml"), { deploymentFile, vars });
  const edge = edgeSchema.parse(JSON.parse(edgeText));
  const runner = await runnerConfig(folder, {
    GANGWAY_HOST_TICKET_KEY: JSON.stringify(await exportJWK(publicKey)),
    ...options.runnerVars,
  });
  const services = [{ binding: "GANGWAY_RUNNER", service: runner.name }];
  const front = frontConfig({ edge: edge.name, runner: runner.name });
  const files = await Promise.all(
    Object.entries({ front, edge: { ...edge, services }, runner }).map(async ([name, config]) => {
      const file = join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(config));
      return file;
    }),
  );
  return { files, keys, ticketKey };
}

/** What wrangler builds is one line on top of the image that is tested. */
async function runnerConfig(folder: string, vars: Readonly<Record<string, string>>) {
  const file = join(root, "functions/runner/wrangler.toml");
  const runner = runnerSchema.parse(parse(await readFile(file, "utf8")));
  await mkdir(join(folder, "image"));
  const image = join(folder, "image", "Dockerfile");
  await writeFile(image, `FROM ${hostImage}\n`);
  const containers = runner.containers.map(({ class_name, max_instances }) => ({
    class_name,
    max_instances,
    image,
  }));
  return {
    ...runner,
    main: join(dirname(file), runner.main),
    containers,
    vars: { GANGWAY_RUNNER_NAME_KEY: "a key of the test, long enough for it", ...vars },
  };
}

function frontConfig({ edge, runner }: { readonly edge: string; readonly runner: string }) {
  return {
    name: "front",
    main: join(root, "test/fixtures/runner/front.mjs"),
    compatibility_date: "2026-10-27",
    compatibility_flags: ["enable_request_signal"],
    services: [
      { binding: "EDGE", service: edge },
      { binding: "RUNNER", service: runner },
    ],
  };
}
