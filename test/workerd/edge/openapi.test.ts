import { describe, expect, it } from "vitest";
import { catalogue } from "../../../shared/errors/catalogue.ts";
import { testEdge } from "../support/edge-app.ts";

interface Operation {
  readonly security: readonly unknown[];
  readonly responses: Readonly<Record<string, unknown>>;
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

  it("lists every HTTP status of the error catalogue as a response", async () => {
    const { document } = await openApi();
    const responses = document.paths["/v1/tools/call"]?.["post"]?.responses ?? {};
    const statuses = new Set(Object.values(catalogue).map(({ http }) => String(http)));
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([...statuses]));
  });

  it("refers to nothing that it does not hold", async () => {
    const { text, document } = await openApi();
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
    expect(text.includes("#/$defs/")).toBe(false);
  });
});
