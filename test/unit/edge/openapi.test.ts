import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { openApiDocument } from "../../../functions/edge/routes/openapi.ts";
import { routeTable } from "../../../functions/edge/routes/table.ts";

async function authenticate(): Promise<never> {
  throw new TypeError("the document is built without a request");
}

it("builds an OpenAPI 3.1 document that the official schema accepts", async () => {
  const validator = new Validator();
  const document = openApiDocument(routeTable(authenticate));
  const { valid, errors } = await validator.validate(document);
  expect(errors ?? []).toEqual([]);
  expect({ valid, version: validator.version }).toEqual({ valid: true, version: "3.1" });
});

it("is refused by the same schema when an operation loses its responses", async () => {
  const document = openApiDocument(routeTable(authenticate));
  const broken = JSON.parse(JSON.stringify(document).replaceAll('"responses":', '"respons":'));
  expect((await new Validator().validate(broken)).valid).toBe(false);
});
