import * as z from "zod";
import { validateAnswerSchema } from "../../../shared/api/answers.ts";
import { validateRequestSchema } from "../../../shared/api/file-requests.ts";
import { type ConfigReading, readConfig } from "../../../shared/config/read-config.ts";
import { rules } from "../../../shared/config/rules.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import {
  isReportFormat,
  type ReportFormatName,
  reportFormats,
} from "../../../shared/reports/report-formats.ts";
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
  response: {
    "application/json": validateAnswerSchema,
    "text/plain": z.string(),
    "application/sarif+json": z.looseObject({ version: z.literal("2.1.0") }),
    "application/xml": z.string(),
  },
  handle: async (c, deps) => {
    const format = reportFormat(c.req.query("format") ?? "json");
    const files = await readFiles(c, deps);
    const readings = files.map((file) => ({ file, reading: readConfig(file) }));
    if (format === "json") return c.json(validateAnswer(readings, c.get("requestId")));
    const { contentType, render } = reportFormats[format];
    const reports = readings.map(({ file, reading }) => ({ ...file, findings: reading.findings }));
    return c.body(render(reports, { rules }), 200, { "content-type": contentType });
  },
};

/** @throws GatewayError REQUEST_INVALID, listing the formats that there are. */
function reportFormat(name: string): ReportFormatName {
  if (isReportFormat(name)) return name;
  const formats = Object.keys(reportFormats).join(", ");
  throw new GatewayError("REQUEST_INVALID", `There is no report format '${name.slice(0, 32)}'.`, {
    hint: `Use one of: ${formats}.`,
  });
}

async function readFiles(c: AppContext, deps: Deps): Promise<readonly SourceFile[]> {
  const { maxBodyBytes } = deps.settings;
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") {
    return (await readJson(c, maxBodyBytes, () => validateRequestSchema)).files;
  }
  return [{ path: c.req.query("path") ?? unnamedPath, text: await readText(c, maxBodyBytes) }];
}

interface FileReading {
  readonly file: SourceFile;
  readonly reading: ConfigReading;
}

function validateAnswer(
  readings: readonly FileReading[],
  requestId: string,
): z.infer<typeof validateAnswerSchema> {
  const validated = readings.map(({ file, reading }) => validatedFile(file.path, reading));
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
