import { describe, expect, it } from "vitest";
import { catalogue } from "../../../shared/errors/catalogue.ts";
import { testEdge } from "../support/edge-app.ts";

type Content = Readonly<Record<string, { readonly schema: unknown }>>;

interface Operation {
  readonly security: readonly unknown[];
  readonly parameters?: readonly { in: string; name: string; schema: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { description: string; content?: Content }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

async function openApi(): Promise<{ text: string; document: OpenApi }> {
  const text = await (await (await testEdge()).request("/openapi.json")).text();
  return { text, document: JSON.parse(text) };
}

describe("/openapi.json", () => {
  it("describes every route with the keys that it needs", async () => {
    const { document } = await openApi();
    expect(Object.keys(document.paths)).toEqual([
      "/health",
      "/ready",
      "/v1/validate",
      "/v1/convert",
      "/v1/tools/list",
      "/v1/prompts/list",
      "/v1/resources/list",
      "/v1/resources/templates/list",
      "/v1/tools/call",
      "/v1/prompts/get",
      "/v1/resources/read",
      "/v1/complete",
      "/v1/sessions/{handle}",
      "/schema/agent.schema.json",
      "/schema/gangway.schema.json",
    ]);
    expect(document.paths["/health"]?.["get"]?.security).toEqual([]);
    expect(document.paths["/v1/tools/call"]?.["post"]?.security).toEqual([{ key: [] }]);
  });

  it("names every error of the catalogue at a route that can answer it, and at no other", async () => {
    const { document } = await openApi();
    const codesOf = (path: string, method: string): string[] =>
      Object.values(document.paths[path]?.[method]?.responses ?? {}).flatMap(
        ({ description }) => /One of: (.*)\.$/.exec(description)?.[1]?.split(", ") ?? [],
      );
    const named = new Set(
      Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.keys(operations).flatMap((method) => codesOf(path, method)),
      ),
    );
    // Of no route: paths that are none, what the host answers to the edge, and a tool's own failure.
    const elsewhere = [
      "METHOD_NOT_ALLOWED",
      "ROUTE_NOT_FOUND",
      "TENANT_MISMATCH",
      "TICKET_INVALID",
      "TOOL_ERROR",
    ];
    expect(
      Object.keys(catalogue)
        .filter((code) => !named.has(code))
        .toSorted(),
    ).toEqual(elsewhere);
    expect(codesOf("/health", "get")).toEqual(["HOST_NOT_ALLOWED", "INTERNAL"]);
    expect(codesOf("/v1/convert", "post")).not.toContain("CONNECTION_FAILED");
    expect(codesOf("/v1/tools/list", "post")).toContain("SERVER_NOT_FOUND");
    expect(codesOf("/v1/tools/list", "post")).not.toContain("TOOL_NOT_FOUND");
    expect(codesOf("/v1/tools/call", "post")).not.toContain("PROMPT_NOT_FOUND");
    expect(codesOf("/v1/prompts/get", "post")).toContain("PROMPT_NOT_FOUND");
  });

  it("describes query parameters, raw documents and event streams", async () => {
    const { document } = await openApi();
    const validate = document.paths["/v1/validate"]?.["post"];
    const names = validate?.parameters?.map((parameter) => [parameter.in, parameter.name]);
    expect(names).toEqual([
      ["query", "format"],
      ["query", "path"],
      ["query", "dialect"],
      ["query", "policy"],
    ]);
    expect(validate?.parameters?.[0]?.schema).toMatchObject({
      enum: expect.arrayContaining(["json", "sarif", "junit"]),
    });
    expect(Object.keys(validate?.requestBody?.content ?? {})).toEqual(
      expect.arrayContaining(["application/json", "text/yaml", "application/toml", "*/*"]),
    );
    expect(document.paths["/ready"]?.["get"]?.parameters).toMatchObject([{ name: "deep" }]);
    const { content } = document.paths["/v1/tools/call"]?.["post"]?.responses["200"] ?? {};
    expect(content?.["text/event-stream"]?.schema).toMatchObject({
      type: "string",
      contentSchema: { type: "array", items: { $ref: "#/components/schemas/StreamEvent" } },
    });
    const events = JSON.stringify(document.components.schemas["StreamEvent"]);
    for (const name of ["accepted", "progress", "log", "result", "error"])
      expect(events).toContain(`"const":"${name}"`);
  });

  it("refers to nothing that it does not hold", async () => {
    const { text, document } = await openApi();
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
    expect(text.includes("#/$defs/")).toBe(false);
  });
});
