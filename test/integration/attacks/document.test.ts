import { beforeAll, describe, expect, it } from "vitest";
import { readDeployment } from "../../../shared/config/read-deployment.ts";
import { documentAttacks } from "./document-attacks.ts";
import { type AttackedEdge, attackedEdge, codeOf, findingsOf } from "./walls.ts";

let edge: AttackedEdge;
beforeAll(async () => {
  edge = await attackedEdge();
});

describe.each(documentAttacks)("a document with $what ($path)", ({ path, text, rule }) => {
  it("is refused by the validator", async () => {
    const findings = await findingsOf(edge, { path, text });
    const errors = findings.filter(({ severity }) => severity === "error").map(({ id }) => id);
    expect(errors).toContain(rule);
  });

  it("is refused in a call, and nothing leaves", async () => {
    const body = { config_text: text, config_path: path, tool: "t" };
    const answer = await edge.post("/v1/tools/call", body);
    expect(codeOf(answer)).toMatch(/^(?:CONFIG_SYNTAX|CONFIG_INVALID|COMMAND_NOT_ALLOWED)$/);
    expect(edge.left()).toEqual([]);
  });

  it("makes no deployment", () => {
    expect(readDeployment(text, { mode: "production" }).deployment).toBeNull();
  });
});

/** Bodies of requests that are no plain JSON; the config inside is an honest one. */
const call =
  '"tool":"t","config":{"name":"a","type":"mcp","command":"npx","args":["-y","good@1.0.0"]}';
const bodies: readonly (readonly [what: string, body: string])[] = [
  ["no JSON", "tools: []"],
  ["no object", "[]"],
  ["null", "null"],
  ["an open end", `{${call}`],
  ["two values", `{${call}} {}`],
  ["a comment", `{${call} /* x */}`],
  ["a prototype", `{${call},"__proto__":{"server":"b"}}`],
  ["a constructor", `{${call},"constructor":{"prototype":{"x":1}}}`],
  ["an unknown field", `{${call},"admin":true}`],
  ["endless depth", `{${call},"arguments":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ["a config in two forms", `{${call},"config_text":"tools: []"}`],
  ["a number for a name", `{${call},"server":1}`],
];

describe.each(bodies)("a request body with %s", (_what, body) => {
  it("is refused, and nothing leaves", async () => {
    const answer = await edge.post("/v1/tools/call", body);
    expect(answer.status).toBe(400);
    expect(codeOf(answer)).toMatch(/^REQUEST_(?:MALFORMED|INVALID)$/);
    expect(edge.left()).toEqual([]);
  });
});

describe("a request body", () => {
  it.each(["gzip", "deflate", "br", "identity, gzip"])(
    "encoded as %s is refused",
    async (encoding) => {
      const headers = {
        authorization: `Bearer ${edge.key}`,
        "content-type": "application/json",
        "content-encoding": encoding,
      };
      const answer = await edge.send("/v1/tools/call", { method: "POST", headers, body: "{}" });
      expect([answer.status, codeOf(answer)]).toEqual([415, "MEDIA_TYPE_UNSUPPORTED"]);
    },
  );

  it("that is honest reaches the host", async () => {
    await edge.post("/v1/tools/call", `{${call}}`);
    expect(edge.left().join()).toContain("https://host.internal.example.com/v1/run");
  });
});
