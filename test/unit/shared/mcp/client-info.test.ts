import { expect, it } from "vitest";
import packageJson from "../../../../package.json" with { type: "json" };
import { clientInfo } from "../../../../shared/mcp/client-info.ts";

it("is introduced to servers with the package's name and version", () => {
  expect(clientInfo).toEqual({ name: packageJson.name, version: packageJson.version });
});
