import type { z } from "zod";
import { validateAnswerSchema } from "../../../shared/api/answers.ts";
import { validateRequestSchema } from "../../../shared/api/requests.ts";
import { type ConfigReading, readConfig } from "../../../shared/config/read-config.ts";
import type { AppContext, Deps } from "../context.ts";
import { readJson, readText } from "./read-body.ts";
import type { Route } from "./route.ts";

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Name of a raw document that came without `?path=`. */
const unnamedPath = "config";

export const validate: Route = {
  method: "POST",
  path: "/v1/validate",
  operationId: "validate",
  summary:
    "Checks configs without contacting anything: application/json takes many files, any other type is one raw document.",
  scope: "validate",
  request: { "application/json": validateRequestSchema },
  response: { "application/json": validateAnswerSchema },
  handle: async (c, deps) => {
    const files = await readFiles(c, deps);
    return c.json(validateFiles(files, c.get("requestId")));
  },
};

async function readFiles(c: AppContext, deps: Deps): Promise<readonly SourceFile[]> {
  const { maxBodyBytes } = deps.settings;
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") {
    return (await readJson(c, maxBodyBytes, () => validateRequestSchema)).files;
  }
  return [{ path: c.req.query("path") ?? unnamedPath, text: await readText(c, maxBodyBytes) }];
}

function validateFiles(
  files: readonly SourceFile[],
  requestId: string,
): z.infer<typeof validateAnswerSchema> {
  const validated = files.map((file) => validatedFile(file.path, readConfig(file)));
  return {
    valid: validated.every(({ valid }) => valid),
    files: validated,
    metadata: { request_id: requestId },
  };
}

function validatedFile(
  path: string,
  reading: ConfigReading,
): z.infer<typeof validateAnswerSchema>["files"][number] {
  return {
    path,
    dialect: reading.dialect,
    valid: !reading.findings.some(({ severity }) => severity === "error"),
    findings: [...reading.findings],
    servers: reading.servers.map(({ name, config, disabled }) => ({
      name,
      transport: config?.transport ?? null,
      valid: config !== null,
      disabled,
    })),
    references: reading.references.map(({ name, pointer, server }) => ({ name, pointer, server })),
  };
}
