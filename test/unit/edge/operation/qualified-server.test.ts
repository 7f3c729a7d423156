import { describe, expect, it } from "vitest";
import { qualifiedServer } from "../../../../functions/edge/operation/qualified-server.ts";
import { qualifiedName } from "../../../../shared/catalogue/names.ts";

const names = ["docs", "docs_2", "everything", "7zip", "a", "a_"];
const servers = names.map((name) => ({
  name,
  source: "tenant" as const,
  config: null,
  disabled: false,
  findings: [],
  envFiles: {},
}));

const ofTool = (name: string) => qualifiedServer({ kind: "tool", name, arguments: {} }, servers);

describe("qualifiedServer", () => {
  it.each([
    ["docs", "search"],
    ["docs_2", "search"],
    ["everything", "say/hello"],
    ["7zip", "pack"],
    ["a", "b"],
  ])("finds server %s by the qualified name of its tool %s", async (server, tool) => {
    expect(ofTool(await qualifiedName(server, tool))).toBe(server);
  });

  it.each([["search"], ["docs_search"], ["nobody__search"], ["__"], ["a___b"]])(
    "finds none by %s",
    (name) => {
      expect(ofTool(name)).toBeUndefined();
    },
  );

  it("finds the server of a prompt, and of a completion for one", () => {
    const ref = { type: "ref/prompt" as const, name: "docs__greet" };
    const argument = { name: "who", value: "" };
    expect(qualifiedServer({ kind: "prompt", name: "docs__greet", arguments: {} }, servers)).toBe(
      "docs",
    );
    expect(qualifiedServer({ kind: "completion", ref, argument }, servers)).toBe("docs");
    expect(qualifiedServer({ kind: "resource", uri: "docs__greet" }, servers)).toBeUndefined();
  });
});
