import { fileURLToPath } from "node:url";
import { buildDeployment } from "../build-deployment.ts";
import { errorsDoc } from "./errors-doc.ts";

/** A file of the repository that is derived from source. */
export interface Output {
  /** From the repository's root. */
  readonly path: string;
  /** Its text; formatted by file type before it is written or compared. */
  readonly render: () => string | Promise<string>;
}

/** Every generated file; a new generator adds its line here. */
export const outputs: readonly Output[] = [
  { path: "docs/reference/errors.md", render: errorsDoc },
  { path: "infra/deployment.json", render: () => buildDeployment(deploymentFile) },
];

const deploymentFile = fileURLToPath(new URL("../gangway.yaml", import.meta.url));
