import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DeploymentFileError } from "../build-deployment.ts";
import { staleOutputs, writeOutputs } from "./generate.ts";
import { outputs } from "./outputs.ts";

// `node infra/generate/main.ts` writes every generated file; with --check it writes nothing and
// fails, naming the files that are not as their source says.
const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

try {
  if (values.check) await check();
  else await writeOutputs(outputs, root);
} catch (error) {
  // Its findings are for whoever wrote the file, who needs no stack.
  if (!(error instanceof DeploymentFileError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function check(): Promise<void> {
  for (const path of await staleOutputs(outputs, root)) {
    console.error(`${path} is out of date: run \`npx node infra/generate/main.ts\``);
    process.exitCode = 1;
  }
}
