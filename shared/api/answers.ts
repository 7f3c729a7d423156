import * as z from "zod";
import { errorBodySchema } from "./error-body-schema.ts";
import { serverListingSchema } from "./list-answers.ts";

/** The body of every failed answer. */
export const errorAnswerSchema = z
  .object({
    success: z.literal(false),
    error: errorBodySchema,
    metadata: z.object({ request_id: z.string() }),
  })
  .meta({ id: "ErrorAnswer" });

const position = z.int().positive().nullable();

const findingSchema = z
  .object({
    id: z.string().meta({ description: "Stable rule id, `GW101`." }),
    severity: z.enum(["error", "warning", "info"]),
    message: z.string(),
    hint: z.string(),
    pointer: z.string().meta({ description: "JSON Pointer into the document." }),
    line: position,
    column: position,
    end_line: position,
    end_column: position,
    docs: z.string(),
  })
  .meta({ id: "Finding", description: "One diagnostic; lines and columns count from 1." });

/** Answer of `POST /v1/validate`. */
export const validateAnswerSchema = z
  .object({
    valid: z.boolean().meta({ description: "No finding of severity error in any file." }),
    files: z.array(
      z
        .object({
          path: z.string(),
          dialect: z.string().nullable(),
          valid: z.boolean(),
          findings: z.array(findingSchema),
          servers: z.array(
            z.object({
              name: z.string(),
              transport: z.string().nullable(),
              valid: z.boolean(),
              disabled: z.boolean(),
            }),
          ),
          references: z.array(
            z.object({ name: z.string(), pointer: z.string(), server: z.string() }),
          ),
        })
        .meta({ id: "ValidatedFile" }),
    ),
    metadata: z.object({ request_id: z.string() }),
  })
  .meta({ id: "ValidateAnswer" });

/** Answer of `POST /v1/convert`. */
export const convertAnswerSchema = z
  .object({
    dialect: z.string(),
    yaml: z
      .string()
      .nullable()
      .meta({ description: "Native YAML of every usable server; null when there is none." }),
    converted: z.array(z.string()).meta({ description: "Names of the servers in the YAML." }),
    skipped: z
      .array(z.string())
      .meta({ description: "Names of servers that could not be converted; `findings` tell why." }),
    findings: z.array(findingSchema),
    metadata: z.object({ request_id: z.string() }),
  })
  .meta({ id: "ConvertAnswer" });

/** Answer of `GET /health`. */
export const healthSchema = z.object({ ok: z.literal(true) }).meta({ id: "Health" });

/** Answer of `GET /ready`; status 200 when `ready`, else 503. */
export const readySchema = z
  .object({
    ready: z.boolean(),
    problems: z
      .array(z.string())
      .meta({ description: "One sentence for each setting that is missing or wrong." }),
    warnings: z.array(z.string()).meta({
      description: "One sentence for each missing setting that some requests need.",
    }),
    servers: z.array(serverListingSchema).exactOptional().meta({
      description: "With `?deep=1`: how the first configured server answered a real call.",
    }),
  })
  .meta({ id: "Ready" });
