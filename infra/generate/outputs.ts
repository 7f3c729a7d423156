import { fileURLToPath } from "node:url";
import { buildDeployment } from "../build-deployment.ts";
import { agentJsonSchema, deploymentJsonSchema } from "../../shared/config/json-schema.ts";
import { dockerContext } from "./docker-context.ts";
import { dialectsDoc } from "./dialects-doc.ts";
import { errorsDoc } from "./errors-doc.ts";
import { rulePages, rulesDoc } from "./rules-docs.ts";

/** A file of the repository that is derived from source. */
export interface Output {
  /** From the repository's root. */
  readonly path: string;
  /** Its text; formatted by file type before it is written or compared. */
  readonly render: () => string | Promise<string>;
  /** Of a type that the formatter does not know. */
  readonly plain?: boolean;
}

/** Every generated file; a new generator adds its line here. */
export const outputs: readonly Output[] = [
  { path: ".dockerignore", render: dockerContext, plain: true },
  { path: "docs/reference/dialects.md", render: dialectsDoc },
  { path: "docs/reference/errors.md", render: errorsDoc },
  { path: "docs/reference/rules.md", render: rulesDoc },
  ...rulePages,
  { path: "docs/schema/agent.schema.json", render: () => JSON.stringify(agentJsonSchema()) },
  { path: "docs/schema/gangway.schema.json", render: () => JSON.stringify(deploymentJsonSchema()) },
  { path: "infra/deployment.json", render: () => buildDeployment(deploymentFile) },
];

const deploymentFile = fileURLToPath(new URL("../gangway.yaml", import.meta.url));
