import * as z from "zod";
import { errorAnswerSchema } from "../../../shared/api/answers.ts";
import { catalogue } from "../../../shared/errors/catalogue.ts";
import type { Route } from "./route.ts";
import { errorsOf } from "./route-errors.ts";
import { eventStreamType } from "./stream-answer.ts";

type JsonObject = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes, from the schemas that validate their bodies. */
export function openApiDocument(routes: readonly Route[]): JsonObject {
  const schemas: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const operations = (paths[templateOf(route.path)] ??= {});
    operations[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gangway",
      version: "0.1.0",
      summary: "A serverless gateway to MCP servers.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    // The document is read from the server that it describes.
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key, `gw_…`." },
      },
    },
  };
}

const parameter = /:([a-z_]+)/g;

/** The router's `:name` as OpenAPI writes it. */
function templateOf(path: string): string {
  return path.replace(parameter, "{$1}");
}

function parametersOf(
  { path, query = {}, conditional = false }: Route,
  schemas: JsonObject,
): { parameters?: JsonObject[] } {
  const schema = { type: "string" };
  const inPath = [...path.matchAll(parameter)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema,
  }));
  const inHeader = conditional
    ? [{ name: "If-None-Match", in: "header", required: false, schema }]
    : [];
  const inQuery = Object.entries(query).map(([name, form]) => {
    const { description, ...rest } = hoist(form, "input", schemas);
    return { name, in: "query", required: false, description, schema: rest };
  });
  const parameters = [...inPath, ...inQuery, ...inHeader];
  return parameters.length === 0 ? {} : { parameters };
}

function operationOf(route: Route, schemas: JsonObject): JsonObject {
  return {
    operationId: route.operationId,
    summary: route.summary,
    security: route.scope === null ? [] : [{ key: [] }],
    ...(route.scope === null ? {} : { "x-gangway-scope": route.scope }),
    ...parametersOf(route, schemas),
    ...(route.request === undefined ? {} : { requestBody: requestBodyOf(route, schemas) }),
    responses: {
      "200": {
        description: "Done; the body tells how it went.",
        content: contentOf(route.response, "output", schemas),
      },
      ...(route.conditional === true
        ? { "304": { description: "The answer is the one whose ETag was sent." } }
        : {}),
      ...errorResponses(route, schemas),
    },
  };
}

function requestBodyOf({ request = {}, requestOptional = false }: Route, schemas: JsonObject) {
  return { required: !requestOptional, content: contentOf(request, "input", schemas) };
}

/** The statuses of the errors that the route can answer, each with its codes. */
function errorResponses(route: Route, schemas: JsonObject): JsonObject {
  const byStatus = Map.groupBy(errorsOf(route), (code) => catalogue[code].http);
  const statuses = [...byStatus].toSorted(([a], [b]) => a - b);
  const responses = statuses.map(([status, codes]) => {
    const { unready } = route;
    const isUnready = status === 503 && unready !== undefined;
    const schema = isUnready ? z.union([unready, errorAnswerSchema]) : errorAnswerSchema;
    const text = `One of: ${codes.join(", ")}.`;
    return [
      String(status),
      {
        description: isUnready ? `Not ready. ${text}` : text,
        content: contentOf({ "application/json": schema }, "output", schemas),
      },
    ] as const;
  });
  return Object.fromEntries(responses);
}

function contentOf(
  bodies: Readonly<Record<string, z.ZodType>>,
  io: "input" | "output",
  schemas: JsonObject,
): JsonObject {
  return Object.fromEntries(
    Object.entries(bodies).map(([type, schema]) => {
      const hoisted = hoist(schema, io, schemas);
      return [type, { schema: type === eventStreamType ? eventStream(hoisted) : hoisted }];
    }),
  );
}

/** The body is text: what its events are stands in the schema of its decoded content. */
function eventStream(event: JsonObject): JsonObject {
  return {
    type: "string",
    description:
      "With `Accept: text/event-stream`. Each event has an `event` line with its name and a `data` line with JSON; the data of `result` is the body of the application/json answer. What fails before a server is contacted is answered as JSON.",
    contentMediaType: eventStreamType,
    contentSchema: { type: "array", items: event },
  };
}

/** The JSON Schema (2020-12) of `schema`, its named parts moved to the document's components. */
function hoist(schema: z.ZodType, io: "input" | "output", schemas: JsonObject): JsonObject {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, target: "draft-2020-12" }));
  const {
    $defs,
    $schema: _,
    ...rest
  } = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonObject;
  Object.assign(schemas, $defs);
  return rest;
}
