import * as z from "zod";
import { validateAnswerSchema } from "../../../shared/api/answers.ts";
import { validateRequestSchema } from "../../../shared/api/file-requests.ts";
import type { Severities } from "../../../shared/config/diagnostics.ts";
import {
  type ConfigReading,
  type ConfigSource,
  readConfig,
  type ReadOptions,
} from "../../../shared/config/read-config.ts";
import { rules } from "../../../shared/config/rules.ts";
import { commands } from "../../../shared/config/server-config.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import {
  isReportFormat,
  type ReportFormatName,
  reportFormats,
} from "../../../shared/reports/report-formats.ts";
import type { AppContext, Deps } from "../context.ts";
import { readJson, readRaw } from "./read-body.ts";
import type { Route } from "./route.ts";

interface SourceFile {
  readonly path: string;
  readonly source: ConfigSource;
}

interface Checks {
  readonly files: readonly SourceFile[];
  readonly severities: Severities;
  /** Hold the config to the tenant's policy. */
  readonly policy: boolean;
}

/** Name of a raw document that came without `?path=`. */
const unnamedPath = "config";

const rawDocument = z
  .string()
  .meta({ description: "One config as it is, whatever its syntax; JSON under another type too." });

const formatNames = Object.keys(reportFormats) as ReportFormatName[];

/** Which format comes as which type. */
function formatTypes(): string {
  return `${formatNames.map((name) => `${name}: ${reportFormats[name].contentType}`).join("; ")}.`;
}

const gitlabReport = z
  .array(z.record(z.string(), z.unknown()))
  .meta({ description: "format=gitlab: a Code Quality report." });
const rdjsonReport = z
  .looseObject({ diagnostics: z.array(z.unknown()) })
  .meta({ description: "format=rdjson: Reviewdog Diagnostic Format." });

export const validate: Route = {
  method: "POST",
  path: "/v1/validate",
  operationId: "validate",
  summary:
    "Checks configs without contacting anything: application/json takes many files, any other type is one raw document.",
  scope: "validate",
  query: {
    format: z.enum(formatNames).meta({
      description: `The report's format, for either kind of body. Default json. ${formatTypes()}`,
    }),
    path: z.string().meta({
      description:
        "Of a raw document: its file name, shown in the answer; helps to tell its dialect.",
    }),
    dialect: z.string().meta({
      description: "Of a raw document: id of its dialect. Default: told by name and shape.",
    }),
    policy: z.enum(["true", "false"]).meta({
      description:
        "Of a raw document: hold it to the tenant's policy, as if it were submitted. Default false.",
    }),
  },
  request: {
    "application/json": validateRequestSchema,
    "application/yaml": rawDocument,
    "text/yaml": rawDocument,
    "application/toml": rawDocument,
    "*/*": rawDocument,
  },
  response: {
    "application/json": z.union([validateAnswerSchema, gitlabReport, rdjsonReport]),
    "text/plain": z.string(),
    "application/sarif+json": z.looseObject({ version: z.literal("2.1.0") }),
    "application/xml": z.string(),
  },
  handle: async (c, deps) => {
    const format = reportFormat(c.req.query("format") ?? "json");
    const { files, severities, policy } = await readChecks(c, deps);
    const asked = policy ? policyOptions(c, deps) : {};
    const options = { ...deploymentOptions(c, deps), ...asked, severities };
    const readings = files.map((file) => ({ file, reading: readConfig(file.source, options) }));
    if (format === "json") return c.json(validateAnswer(readings, c.get("requestId")));
    const { contentType, render } = reportFormats[format];
    const reports = readings.map(({ file: { path, source }, reading }) => ({
      path,
      text: textOf(source),
      findings: reading.findings,
    }));
    return c.body(render(reports, { rules }), 200, { "content-type": contentType });
  },
};

/** What the deployment and the tenant's policy say of launches. One without any host runs none: it only checks. */
function deploymentOptions(c: AppContext, { settings }: Deps): ReadOptions {
  const launchers = commands.filter((command) => settings.hosts[command] !== undefined);
  return {
    launchers: launchers.length === 0 ? null : launchers,
    launchRules: settings.policyOf(c.get("caller").tenant).docker,
  };
}

/** The config as one that the caller would submit to this very deployment. */
function policyOptions(c: AppContext, { settings }: Deps): ReadOptions {
  const { mode } = settings.deployment;
  return { mode, source: "submitted", policy: settings.policyOf(c.get("caller").tenant) };
}

/** For excerpts and columns; null where the bytes are no text. */
function textOf(source: ConfigSource): string | null {
  if ("text" in source) return source.text;
  if (!("bytes" in source)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(source.bytes);
  } catch {
    return null; // told as a finding
  }
}

/** @throws GatewayError REQUEST_INVALID, listing the formats that there are. */
function reportFormat(name: string): ReportFormatName {
  if (isReportFormat(name)) return name;
  const formats = Object.keys(reportFormats).join(", ");
  throw new GatewayError("REQUEST_INVALID", `There is no report format '${name.slice(0, 32)}'.`, {
    hint: `Use one of: ${formats}.`,
  });
}

async function readChecks(c: AppContext, deps: Deps): Promise<Checks> {
  const { maxBodyBytes } = deps.settings;
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") {
    const { files, options } = await readJson(c, maxBodyBytes, () => validateRequestSchema);
    const dialect = options.dialect === undefined ? {} : { dialect: options.dialect };
    return {
      files: files.map(({ path, text }) => ({ path, source: { path, text, ...dialect } })),
      severities: options.severities ?? {},
      policy: options.policy,
    };
  }
  const path = c.req.query("path") ?? unnamedPath;
  const dialect = c.req.query("dialect");
  const source = { path, bytes: await readRaw(c, maxBodyBytes) };
  return {
    files: [{ path, source: dialect === undefined ? source : { ...source, dialect } }],
    severities: {},
    policy: wantsPolicy(c.req.query("policy")),
  };
}

/** @throws GatewayError REQUEST_INVALID for what is neither `true` nor `false` */
function wantsPolicy(text: string | undefined): boolean {
  if (text === undefined || text === "false") return false;
  if (text === "true") return true;
  throw new GatewayError("REQUEST_INVALID", "`policy` in the query is neither true nor false.");
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
