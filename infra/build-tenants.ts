import { deploymentSchema } from "../shared/config/deployment.ts";
import { kvEntries } from "../shared/config/kv-entries.ts";
import { buildDeployment } from "./build-deployment.ts";

/**
 * `node infra/build-tenants.ts FILE > tenants.json`: the tenants of a deployment file for
 * `wrangler kv bulk put`, for deployments with more tenants than a Worker's bundle should carry.
 */
function main(file: string | undefined): void {
  if (file === undefined) {
    process.stderr.write("usage: node infra/build-tenants.ts FILE > tenants.json\n");
    process.exitCode = 2;
    return;
  }
  const deployment = deploymentSchema.parse(JSON.parse(buildDeployment(file)));
  process.stdout.write(`${JSON.stringify(kvEntries(deployment), null, 2)}\n`);
}

try {
  main(process.argv[2]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
