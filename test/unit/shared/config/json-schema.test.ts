import { describe, expect, it } from "vitest";
import * as z from "zod";
import { agentJsonSchema, deploymentJsonSchema } from "../../../../shared/config/json-schema.ts";
import { serverConfigSchema } from "../../../../shared/config/server-config.ts";

const schemas = { agent: agentJsonSchema(), deployment: deploymentJsonSchema() };

describe("JSON schemas", () => {
  it.each(Object.entries(schemas))("of %s are 2020-12 and have a title", (_, schema) => {
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
    });
    expect(schema["title"]).toEqual(expect.any(String));
  });

  it("describe every field of a server in a sentence", () => {
    const described = Object.entries(serverConfigSchema.shape).map(([name, field]) => [
      name,
      field.description ?? "",
    ]);
    expect(described.filter(([, text]) => !/^[A-Z].*\.$/s.test(text ?? ""))).toEqual([]);
  });

  it("ask for what people must write, and leave defaults to the reader", () => {
    const { required } = z
      .object({ required: z.array(z.string()) })
      .loose()
      .parse(z.toJSONSchema(serverConfigSchema, { io: "input" }));
    expect(required).toEqual(["name", "type"]);
  });

  it("take both spellings of the env file", () => {
    expect(JSON.stringify(schemas.agent)).toContain('"envFile"');
  });
});
