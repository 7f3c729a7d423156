import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { staleOutputs, writeOutputs } from "./generate.ts";
import { outputs } from "./outputs.ts";

// `node infra/generate/main.ts` writes every generated file; with --check it writes nothing and
// fails, naming the files that are not as their source says.
const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

if (values.check) {
  for (const path of await staleOutputs(outputs, root)) {
    console.error(`${path} is out of date: run \`node infra/generate/main.ts\``);
    process.exitCode = 1;
  }
} else {
  await writeOutputs(outputs, root);
}
