import { describe, expect, it } from "vitest";
import { testEdge } from "../support/edge-app.ts";

const good = `tools:
  - name: docs
    description: Documentation
    type: mcp
    transport: http
    url: https://docs.example.com/mcp
`;

async function validateRaw(text: string | Uint8Array, query = "", type = "application/yaml") {
  const edge = await testEdge();
  return edge.request(`/v1/validate${query}`, {
    method: "POST",
    headers: { "content-type": type },
    body: text,
  });
}

describe("POST /v1/validate", () => {
  it("accepts a correct document of any other media type, with its servers", async () => {
    const response = await validateRaw(good, "?path=agent.yaml");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      valid: true,
      files: [
        {
          path: "agent.yaml",
          valid: true,
          findings: [],
          servers: [{ name: "docs", transport: "http", valid: true, disabled: false }],
          references: [],
        },
      ],
    });
  });

  it("answers invalid documents with 200 and every finding at its place (case 31)", async () => {
    const text = good.replace("type: mcp", "type: mcp\n    urll: x\n    request_timeout: 0");
    const body = await (
      await validateRaw(text, "?path=agent.yaml")
    ).json<{
      valid: boolean;
      files: { findings: { pointer: string; line: number; column: number }[] }[];
    }>();
    expect(body.valid).toBe(false);
    const places = body.files[0]?.findings.map(({ pointer, line }) => ({ pointer, line }));
    expect(places).toEqual(
      expect.arrayContaining([
        { pointer: "/tools/0/urll", line: 5 },
        { pointer: "/tools/0/request_timeout", line: 6 },
      ]),
    );
  });

  it("checks many files at once and calls the whole invalid when one is", async () => {
    const edge = await testEdge();
    const files = [
      { path: "a.yaml", text: good },
      { path: "b.json", text: '{"tools": [}' },
    ];
    const { status, body } = await edge.post("/v1/validate", { files });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      valid: false,
      files: [
        { path: "a.yaml", valid: true },
        { path: "b.json", valid: false },
      ],
    });
  });

  it.each([
    ["text", "text/plain; charset=utf-8", "agent.yaml:5:"],
    ["sarif", "application/sarif+json", '"2.1.0"'],
    ["github", "text/plain; charset=utf-8", "::error file=agent.yaml,line=5"],
    ["gitlab", "application/json", '"check_name"'],
    ["junit", "application/xml; charset=utf-8", "<testsuite"],
    ["rdjson", "application/json", '"diagnostics"'],
  ])("answers as a %s report", async (format, contentType, part) => {
    const text = good.replace("type: mcp", "type: mcp\n    urll: x");
    const response = await validateRaw(text, `?path=agent.yaml&format=${format}`);
    expect(response.headers.get("content-type")).toBe(contentType);
    expect(await response.text()).toContain(part);
  });

  it.each<[string, Uint8Array, string]>([
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x74, 0, 0x6f, 0), "GW101"],
    ["Latin-1", Uint8Array.of(0x61, 0x3a, 0x20, 0xe9), "GW101"],
    ["NUL", Uint8Array.of(0x61, 0), "GW101"],
    ["a byte order mark", new TextEncoder().encode(`\uFEFF${good}`), "GW108"],
  ])("tells %s as a finding, in every format (case 32)", async (_, bytes, id) => {
    const body = await (
      await validateRaw(bytes, "?path=agent.yaml")
    ).json<{ files: { findings: { id: string }[] }[] }>();
    expect(body.files[0]?.findings.map((finding) => finding.id)).toEqual([id]);
    for (const format of ["text", "sarif", "github", "gitlab", "junit", "rdjson"]) {
      const report = await validateRaw(bytes, `?path=agent.yaml&format=${format}`);
      expect(report.status).toBe(200);
      expect(await report.text()).toContain(id);
    }
  });

  it("takes severities and a dialect for all files", async () => {
    const edge = await testEdge();
    const text = '{"mcpServers": {"a": {"command": "uvx", "args": ["pkg"]}}}';
    const files = [{ path: "a.json", text }];
    const one = async (options: unknown) =>
      (await edge.post("/v1/validate", { files, options })).body;
    expect(await one({ severities: { GW204: "error" } })).toMatchObject({ valid: false });
    expect(await one({ severities: { GW204: "off" } })).toMatchObject({
      valid: true,
      files: [{ findings: [] }],
    });
    expect(await one({ dialect: "cline" })).toMatchObject({ files: [{ dialect: "cline" }] });
  });

  describe("with the policy of the key's tenant", () => {
    const text = `tools:
  - { name: listed, type: mcp, description: d, transport: http, url: https://mcp.linear.app/mcp }
  - name: other
    type: mcp
    description: d
    transport: http
    url: https://mcp.example.com/mcp
    headers: { Authorization: "Bearer \${TOKEN}" }
  - { name: run, type: mcp, description: d, command: npx, args: [-y, "evil@1.0.0"], env: { A: "\${A}" } }
`;
    const tenant = { policy: { hosts: ["mcp.linear.app"] }, send_to: {} };
    const ids = (body: unknown) =>
      (body as { files: { findings: { id: string }[] }[] }).files[0]?.findings.map(({ id }) => id);

    it("tells what it would refuse, and nothing of it without being asked", async () => {
      const edge = await testEdge({ tenant });
      const files = [{ path: "agent.yaml", text }];
      const asked = await edge.post("/v1/validate", { files, options: { policy: true } });
      expect(ids(asked.body)).toEqual(["GW311", "GW418", "GW218", "GW219"]);
      expect(asked.body).toMatchObject({ valid: false });
      expect(ids((await edge.post("/v1/validate", { files })).body)).toEqual([]);
    });

    it("judges by the tenant of the key alone", async () => {
      const edge = await testEdge({ tenant: { policy: { hosts: [], packages: [] } } });
      const files = [{ path: "agent.yaml", text }];
      const { body } = await edge.post("/v1/validate", { files, options: { policy: true } });
      expect(ids(body)).toEqual(["GW311", "GW311", "GW418", "GW218", "GW219"]);
    });

    it("takes `?policy=true` for a raw document, in every format", async () => {
      const edge = await testEdge({ tenant });
      const raw = async (query: string) =>
        edge.request(`/v1/validate?path=agent.yaml${query}`, { method: "POST", body: text });
      expect(await (await raw("&policy=true&format=text")).text()).toContain("GW418");
      expect(await (await raw("&policy=false&format=text")).text()).not.toContain("GW418");
      expect((await raw("&policy=yes")).status).toBe(400);
    });
  });

  it("takes the dialect of a raw document from the query", async () => {
    const text = '{"mcpServers": {"a": {"url": "https://mcp.example.com/mcp"}}}';
    const response = await validateRaw(text, "?path=x.json&dialect=cline");
    expect(await response.json()).toMatchObject({
      files: [{ dialect: "cline", servers: [{ transport: "sse" }] }],
    });
  });

  it("refuses severities of rules that do not exist, naming the place", async () => {
    const edge = await testEdge();
    const files = [{ path: "a.yaml", text: good }];
    const options = { severities: { GW999: "off" } };
    const { status, body } = await edge.post("/v1/validate", { files, options });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { details: { issues: [{ pointer: "/options/severities/GW999" }] } },
    });
  });

  it("tells commands that the deployment has no host for", async () => {
    const hosts = { npx: "https://host.example.com" };
    const edge = await testEdge({ deployment: { hosts } });
    const text = '{"mcpServers": {"a": {"command": "uvx", "args": ["pkg==1.0.0"]}}}';
    const { body } = await edge.post("/v1/validate", { files: [{ path: "mcp.json", text }] });
    expect(body).toMatchObject({ valid: false, files: [{ findings: [{ id: "GW212" }] }] });
  });

  it("checks launches by the tenant's policy", async () => {
    const text =
      '{"mcpServers": {"a": {"command": "docker", "args": ["run", "-i", "--rm", "-v", "/srv/data/x:/data", "a/b"]}}}';
    const files = [{ path: "mcp.json", text }];
    const valid = async (tenant: Record<string, unknown>) =>
      (await (await testEdge({ tenant })).post("/v1/validate", { files })).body["valid"];
    expect(await valid({})).toBe(false);
    expect(await valid({ policy: { volume_roots: ["/srv/data"] } })).toBe(true);
  });

  it("refuses an unknown report format and lists those that there are", async () => {
    const response = await validateRaw(good, "?format=html");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "REQUEST_INVALID", hint: expect.stringContaining("sarif") },
    });
  });

  it("resolves no secret and contacts nothing", async () => {
    const fetched: string[] = [];
    const edge = await testEdge({
      env: { GW_SECRET_TOKEN: "canary-canary" },
      deps: {
        fetch: async (input) => {
          fetched.push(new Request(input).url);
          return new Response();
        },
        secrets: {
          async getSecrets() {
            throw new TypeError("no secret is read");
          },
          async refresh() {
            throw new TypeError("no secret is read again");
          },
        },
      },
    });
    const text = `${good}    headers: { Authorization: "Bearer \${TOKEN}" }\n`;
    const { body } = await edge.post("/v1/validate", { files: [{ path: "agent.yaml", text }] });
    expect(body).toMatchObject({
      valid: true,
      files: [
        {
          references: [
            { name: "TOKEN", pointer: "/tools/0/headers/Authorization", server: "docs" },
          ],
        },
      ],
    });
    expect(fetched).toEqual([]);
  });
});

describe("POST /v1/convert", () => {
  it("writes another client's config as native YAML that validates", async () => {
    const edge = await testEdge();
    const text = '{"mcpServers": {"my files": {"command": "npx", "args": ["-y", "pkg@1.0.0"]}}}';
    const { status, body } = await edge.post("/v1/convert", { path: ".mcp.json", text });
    expect(status).toBe(200);
    expect(body).toMatchObject({ converted: ["my_files"], skipped: [] });
    const files = [{ path: "agent.yaml", text: body["yaml"] }];
    expect((await edge.post("/v1/validate", { files })).body).toMatchObject({
      valid: true,
      files: [{ findings: [], servers: [{ name: "my_files" }] }],
    });
  });
});

describe("/schema", () => {
  it.each(["agent", "gangway"])(
    "serves the JSON Schema %s to editors without a key",
    async (name) => {
      const edge = await testEdge();
      const response = await edge.request(`/schema/${name}.schema.json`, {
        headers: { authorization: "none" },
      });
      expect(response.headers.get("content-type")).toBe("application/schema+json");
      expect(await response.json()).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
      });
    },
  );
});
