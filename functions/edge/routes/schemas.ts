import * as z from "zod";
import {
  agentJsonSchema,
  deploymentJsonSchema,
  type JsonSchema,
} from "../../../shared/config/json-schema.ts";
import type { Route } from "./route.ts";

const jsonSchema = z.looseObject({ $schema: z.string() }).meta({ id: "JsonSchema" });

/** JSON Schemas for editors. */
export const schemas: readonly Route[] = [
  schemaRoute("agent", "the native config form", agentJsonSchema),
  schemaRoute("gangway", "the deployment file", deploymentJsonSchema),
];

function schemaRoute(name: string, what: string, build: () => JsonSchema): Route {
  return {
    method: "GET",
    path: `/schema/${name}.schema.json`,
    operationId: `${name}Schema`,
    summary: `The JSON Schema of ${what}.`,
    scope: null,
    response: { "application/schema+json": jsonSchema },
    handle: (c) =>
      c.body(JSON.stringify(build()), 200, { "content-type": "application/schema+json" }),
  };
}
