import * as z from "zod";
import { isRuleId } from "../config/rules.ts";

const severities = z.record(
  z.string().refine(isRuleId, { error: "There is no such rule." }),
  z.enum(["error", "warning", "info", "off"]),
);

const validateOptions = z.strictObject({
  severities: severities.optional().meta({
    description:
      "Severities by rule id, `GW204`. A server that a blocking finding makes unusable stays so, and such a finding is told whatever is set here.",
  }),
  dialect: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Id of every file's dialect. Default: told by name and shape." }),
  policy: z.boolean().default(false).meta({
    description:
      "Also tell what this deployment would refuse if the key's tenant submitted the config: hosts, packages, launches and secrets that the tenant's policy does not list. Default false.",
  }),
});

/** JSON body of `POST /v1/validate`. */
export const validateRequestSchema = z
  .strictObject({
    files: z
      .array(
        z.strictObject({
          path: z
            .string()
            .min(1)
            .max(1024)
            .meta({ description: "File name, shown in the answer." }),
          text: z.string().meta({ description: "The file's whole text." }),
        }),
      )
      .min(1)
      .max(100)
      .meta({ description: "The files to check." }),
    options: validateOptions.prefault({}).meta({ description: "How to check them." }),
  })
  .meta({ id: "ValidateRequest" });

/** Body of `POST /v1/convert`. */
export const convertRequestSchema = z
  .strictObject({
    path: z
      .string()
      .max(1024)
      .optional()
      .meta({ description: "The file's name; helps to tell its dialect." }),
    text: z.string().meta({ description: "The config's whole text." }),
    dialect: z
      .string()
      .optional()
      .meta({ description: "Id of the dialect, where it is not to be told by name and shape." }),
    form: z.enum(["agent", "global"]).default("agent").meta({
      description: "`agent`: a tools list; `global`: version and mcp_servers. Default agent.",
    }),
  })
  .meta({ id: "ConvertRequest" });
