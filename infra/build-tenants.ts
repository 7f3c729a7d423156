import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { deploymentSchema } from "../shared/config/deployment.ts";
import { kvEntries } from "../shared/config/kv-entries.ts";
import { buildDeployment } from "./build-deployment.ts";

const usage = "usage: npx node infra/build-tenants.ts FILE [--out tenants.json]";

/**
 * The tenants of a deployment file for `wrangler kv bulk put`, for deployments with more tenants
 * than a Worker's bundle should carry. They are printed, or written to the file of `--out`, which
 * stays as it was when something is wrong.
 */
function main(argv: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { out: { type: "string" } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const deployment = deploymentSchema.parse(JSON.parse(buildDeployment(file)));
  const text = `${JSON.stringify(kvEntries(deployment), null, 2)}\n`;
  if (values.out === undefined) process.stdout.write(text);
  else writeFileSync(values.out, text);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
