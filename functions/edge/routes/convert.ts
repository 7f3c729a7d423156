import { convertAnswerSchema } from "../../../shared/api/answers.ts";
import { convertRequestSchema } from "../../../shared/api/file-requests.ts";
import { convertConfig } from "../../../shared/config/convert-config.ts";
import { readJson } from "./read-body.ts";
import type { Route } from "./route.ts";

export const convert: Route = {
  method: "POST",
  path: "/v1/convert",
  operationId: "convert",
  summary: "Writes a config of any dialect as native YAML.",
  scope: "validate",
  request: { "application/json": convertRequestSchema },
  response: { "application/json": convertAnswerSchema },
  handle: async (c, deps) => {
    const { path, text, dialect, form } = await readJson(
      c,
      deps.settings.maxBodyBytes,
      () => convertRequestSchema,
    );
    const source = { text, ...(path === undefined ? {} : { path }) };
    const conversion = convertConfig(dialect === undefined ? source : { ...source, dialect }, {
      form,
    });
    return c.json({ ...conversion, metadata: { request_id: c.get("requestId") } });
  },
};
