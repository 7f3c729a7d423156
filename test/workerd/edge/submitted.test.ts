import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditLine } from "../../../functions/edge/audit/audit-line.ts";
import { type EdgeOptions, testEdge } from "../support/edge-app.ts";

const secrets = {
  GW_SECRET_ACME__LINEAR: "acme-linear-value",
  GW_SECRET_ACME__OTHER: "acme-other-value",
  GW_SECRET_GLOBEX__LINEAR: "globex-linear-value",
  GW_SECRET_GLOBEX__OTHER: "globex-other-value",
  GW_SECRET_DEPLOYMENT__LINEAR: "deployment-linear-value",
  GW_SECRET_DEPLOYMENT__OTHER: "deployment-other-value",
};

const tenant = {
  send_to: { LINEAR: ["https://mcp.linear.app/mcp"] },
  policy: {
    hosts: ["mcp.linear.app", "free.example.com"],
    packages: ["npm:@acme/*"],
  },
  approved_launches: [
    {
      command: "npx",
      args: ["-y", "slack@1.0.0"],
      env: { LINEAR: "${LINEAR}", SLACK_API_URL: "https://slack.com/api" },
    },
  ],
};

const remote = { name: "a", type: "mcp", transport: "http", url: "https://mcp.linear.app/mcp" };
const launch = { name: "a", type: "mcp", command: "npx", args: ["-y", "@acme/a@1.0.0"] };

interface Sent {
  readonly url: string;
  readonly text: string;
}

/** Calls a tool of a submitted server; every request that leaves the edge is kept, and refused. */
async function submit(
  server: Record<string, unknown>,
  options: EdgeOptions & { body?: object; answer?: (url: URL) => Response } = {},
) {
  const sent: Sent[] = [];
  const { body, answer, ...rest } = options;
  const edge = await testEdge({
    tenant,
    ...rest,
    env: { ...secrets, ...ticketing, ...rest.env },
    deps: {
      fetch: async (input, init) => {
        const url = new URL(input instanceof Request ? input.url : String(input));
        const headers = JSON.stringify([...new Headers(init?.headers)]);
        sent.push({ url: url.href, text: `${url.href} ${headers} ${bodyText(init?.body)}` });
        return answer?.(url) ?? new Response(null, { status: 500 });
      },
      ...rest.deps,
    },
  });
  const answered = await edge.post("/v1/tools/call", { config: server, tool: "t", ...body });
  return { ...answered, sent };
}

const ticketing = {
  GANGWAY_HOST_URL: "https://host.internal.example.com",
  GANGWAY_TICKET_KEY: JSON.stringify({
    kty: "OKP",
    crv: "Ed25519",
    d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  }),
};

function bodyText(body: unknown): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);
}

function code(body: Record<string, unknown>): unknown {
  return (body["error"] as { code: string }).code;
}

describe("a submitted remote server in production", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["at an unlisted host", { url: "https://evil.example.com/mcp" }, "SERVER_NOT_ALLOWED"],
    [
      "at a subdomain of a listed host",
      { url: "https://a.mcp.linear.app/mcp" },
      "SERVER_NOT_ALLOWED",
    ],
    ["at another port", { url: "https://mcp.linear.app:8443/mcp" }, "SERVER_NOT_ALLOWED"],
    [
      "with a listed host as the user name",
      { url: "https://mcp.linear.app@evil.test/mcp" },
      "URL_NOT_ALLOWED",
    ],
    ["with a trailing dot", { url: "https://mcp.linear.app./mcp" }, "URL_NOT_ALLOWED"],
    ["in the clear", { url: "http://mcp.linear.app/mcp" }, "URL_NOT_ALLOWED"],
    ["at a loopback address in octal", { url: "https://0177.0.0.1/mcp" }, "SERVER_NOT_ALLOWED"],
    ["at a private address in hex", { url: "https://0x0a000001/mcp" }, "URL_NOT_ALLOWED"],
    ["at a mapped address", { url: "https://[::ffff:7f00:1]/mcp" }, "URL_NOT_ALLOWED"],
  ])("is refused %s before anything leaves (case 26, case 55)", async (_, change, expected) => {
    const { body, sent } = await submit({ ...remote, headers: { a: "${LINEAR}" }, ...change });
    expect([code(body), sent]).toEqual([expected, []]);
  });

  it("is contacted at a listed host, and its secret goes along where it may", async () => {
    const { sent } = await submit({ ...remote, headers: { authorization: "Bearer ${LINEAR}" } });
    expect(sent.length).toBeGreaterThan(0);
    expect(sent[0]?.text).toContain("acme-linear-value");
  });

  it.each<[string, Record<string, unknown>]>([
    ["another secret", { headers: { a: "${OTHER}" } }],
    ["a secret that there is not", { headers: { a: "${NOTHING}" } }],
    ["another path", { url: "https://mcp.linear.app/other", headers: { a: "${LINEAR}" } }],
    ["a path that leaves", { url: "https://mcp.linear.app/mcp/../x", headers: { a: "${LINEAR}" } }],
    [
      "a path that leaves, encoded",
      { url: "https://mcp.linear.app/mcp/%2e%2e/x", headers: { a: "${LINEAR}" } },
    ],
    [
      "a path that a server may decode",
      { url: "https://mcp.linear.app/mcp/..%2fx", headers: { a: "${LINEAR}" } },
    ],
    [
      "a listed host that is not the secret's",
      { url: "https://free.example.com/mcp", headers: { a: "${LINEAR}" } },
    ],
    ["a query", { url: "https://mcp.linear.app/mcp?k=${LINEAR}" }],
    ["another tenant's variable", { headers: { a: "${GLOBEX__LINEAR}" } }],
    ["the deployment's variable", { headers: { a: "${DEPLOYMENT__LINEAR}" } }],
    ["a reference of a reference", { headers: { a: "${LINEAR}${OTHER}" } }],
  ])(
    "gets no stored secret for %s, and the answer does not tell why (case 26)",
    async (_, change) => {
      const { status, body, sent } = await submit({ ...remote, ...change });
      expect([status, code(body), sent]).toEqual([422, "REFERENCE_UNRESOLVED", []]);
      expect(JSON.stringify(body)).not.toMatch(/-value/);
    },
  );

  it("answers a known and an unknown name alike", async () => {
    const answers = await Promise.all(
      ["OTHER", "NEVER"].map(async (name) => {
        const { body } = await submit({ ...remote, headers: { a: `\${${name}}` } });
        return JSON.stringify(body["error"]).replaceAll(name, "NAME");
      }),
    );
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toContain("send_to.NAME");
  });

  it("is filled by the request's own inputs wherever it may be", async () => {
    const server = { ...remote, url: "https://free.example.com/mcp", headers: { a: "${MINE}" } };
    const { sent } = await submit(server, { body: { inputs: { MINE: "input-value" } } });
    expect(sent[0]?.text).toContain("input-value");
  });

  it("takes the place of an operator's server as a whole, without its secrets", async () => {
    const operator = { ...remote, name: "linear", headers: { authorization: "Bearer ${OTHER}" } };
    const stolen = {
      name: "linear",
      type: "mcp",
      transport: "http",
      url: "https://free.example.com/",
    };
    const { sent } = await submit(stolen, {
      tenantServers: [operator],
      body: { include_configured: true, server: "linear" },
    });
    expect(sent.map(({ url }) => new URL(url).host)).toContain("free.example.com");
    expect(JSON.stringify(sent)).not.toMatch(/-value/);
  });

  it.each([301, 302, 303, 307, 308])(
    "carries no secret over a redirect by %i (case 52)",
    async (status) => {
      const server = {
        ...remote,
        headers: { authorization: "Bearer ${LINEAR}", "x-key": "${LINEAR}" },
      };
      const { sent } = await submit(server, {
        answer: (url) =>
          url.host === "mcp.linear.app"
            ? new Response(null, { status, headers: { location: "https://free.example.com/mcp" } })
            : new Response(null, { status: 500 }),
      });
      expect(sent.length).toBeGreaterThan(0);
      expect(sent.filter(({ url }) => !url.startsWith("https://mcp.linear.app/mcp"))).toEqual([]);
    },
  );

  it.each([
    ["another path of the origin", "/elsewhere?session=1", "SECRET_DESTINATION_NOT_ALLOWED"],
    ["a path that leaves the prefix", "/mcp/../elsewhere", "SECRET_DESTINATION_NOT_ALLOWED"],
    ["another origin", "https://free.example.com/mcp", "URL_NOT_ALLOWED"],
    ["the origin in the clear", "http://mcp.linear.app/mcp", "URL_NOT_ALLOWED"],
  ])(
    "posts no secret where an SSE server points to %s (case 53)",
    async (_, endpoint, expected) => {
      const server = {
        ...remote,
        transport: "sse",
        headers: { authorization: "Bearer ${LINEAR}" },
      };
      const { body, sent } = await submit(server, {
        answer: () =>
          new Response(`event: endpoint\ndata: ${endpoint}\n\n`, {
            headers: { "content-type": "text/event-stream" },
          }),
      });
      expect(code(body)).toBe(expected);
      expect(sent.map(({ url }) => url)).toEqual(["https://mcp.linear.app/mcp"]);
    },
  );

  it("posts where an SSE server points to inside the prefix", async () => {
    const server = { ...remote, transport: "sse", headers: { authorization: "Bearer ${LINEAR}" } };
    const { sent } = await submit(server, {
      answer: (url) =>
        url.pathname === "/mcp"
          ? new Response("event: endpoint\ndata: /mcp/messages?session=1\n\n", {
              headers: { "content-type": "text/event-stream" },
            })
          : new Response(null, { status: 500 }),
    });
    expect(sent[1]?.url).toBe("https://mcp.linear.app/mcp/messages?session=1");
    expect(sent[1]?.text).toContain("acme-linear-value");
  });

  it("sends a WebSocket's secrets to the destination's kin alone", async () => {
    const server = { ...remote, transport: "websocket", headers: { a: "${LINEAR}" } };
    const good = await submit({ ...server, url: "wss://mcp.linear.app/mcp" });
    expect(good.sent[0]?.text).toContain("acme-linear-value");
    const bad = await submit({ ...server, url: "wss://mcp.linear.app/other" });
    expect([code(bad.body), bad.sent]).toEqual(["REFERENCE_UNRESOLVED", []]);
  });

  it("gets nothing of another tenant or of the deployment, whatever it is made of (case 26)", async () => {
    const names = [
      "LINEAR",
      "OTHER",
      "GLOBEX__LINEAR",
      "DEPLOYMENT__LINEAR",
      "ACME__LINEAR",
      "__LINEAR",
      "_LINEAR",
      "globex__LINEAR",
    ];
    const texts = fc.array(
      fc.constantFrom(...names.flatMap((n) => [`\${${n}}`, `$\${${n}}`, n, "$", "{", "}"])),
      { maxLength: 6 },
    );
    const text = texts.map((parts) => parts.join(""));
    const server = fc.record({
      name: fc.constantFrom("a", "globex", "deployment"),
      type: fc.constant("mcp"),
      transport: fc.constantFrom("http", "sse"),
      url: fc
        .tuple(fc.constantFrom("mcp.linear.app/mcp", "free.example.com/", "evil.test/"), text)
        .map(([place, query]) => `https://${place}?q=${query}`),
      headers: fc.record({ a: text, b: text }),
      config: fc.record({ a: text, tenant: fc.constantFrom("globex", "deployment") }),
    });
    const body = fc.record({
      include_configured: fc.boolean(),
      options: fc.record({ subject: fc.constantFrom("globex", "deployment", "acme") }),
      inputs: fc.dictionary(
        fc.constantFrom(...names),
        fc.constantFrom("${OTHER}", "${GLOBEX__LINEAR}"),
        { maxKeys: 3 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(server, body, async (submitted, rest) => {
        const { body: answered, sent } = await submit(submitted, { body: rest });
        const all = JSON.stringify([answered, sent]);
        expect(all).not.toMatch(/globex-(?:linear|other)-value|deployment-(?:linear|other)-value/);
        expect(all).not.toContain("acme-other-value");
        for (const { url, text: leaving } of sent) {
          if (leaving.includes("acme-linear-value"))
            expect(url).toMatch(/^https:\/\/mcp\.linear\.app\/mcp/);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("a submitted stdio server in production", () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ["an unlisted package", { args: ["-y", "other@1.0.0"] }, "SERVER_NOT_ALLOWED"],
    ["a scope of the same beginning", { args: ["-y", "@acme-evil/a@1.0.0"] }, "SERVER_NOT_ALLOWED"],
    [
      "a listed program of another package",
      { args: ["-y", "-p", "evil@1.0.0", "@acme/a"] },
      "LAUNCH_NOT_ALLOWED",
    ],
    ["no version", { args: ["-y", "@acme/a"] }, "SERVER_NOT_ALLOWED"],
    ["a tag", { args: ["-y", "@acme/a@latest"] }, "SERVER_NOT_ALLOWED"],
    ["an alias", { args: ["-y", "@acme/a@npm:evil@1.0.0"] }, "LAUNCH_NOT_ALLOWED"],
    ["an image", { command: "docker", args: ["run", "-i", "acme/a"] }, "SERVER_NOT_ALLOWED"],
    ["a Python package", { command: "uvx", args: ["acme-a==1.0.0"] }, "SERVER_NOT_ALLOWED"],
    ["a reference in args", { args: ["-y", "@acme/a@1.0.0", "${LINEAR}"] }, "LAUNCH_NOT_ALLOWED"],
    ["an input in args", { args: ["-y", "@acme/a@1.0.0", "${MINE}"] }, "LAUNCH_NOT_ALLOWED"],
  ])("is refused with %s, and the host hears nothing", async (_, change, expected) => {
    const { body, sent } = await submit(
      { ...launch, ...change },
      { body: { inputs: { MINE: "m" } } },
    );
    expect([code(body), sent]).toEqual([expected, []]);
  });

  it("runs within the policy, with no stored secret", async () => {
    const { sent } = await submit(launch);
    expect(sent[0]?.url).toBe("https://host.internal.example.com/v1/run");
    const secret = await submit({ ...launch, env: { T: "${LINEAR}" } });
    expect([code(secret.body), secret.sent]).toEqual(["REFERENCE_UNRESOLVED", []]);
    expect(JSON.stringify(secret.body)).toContain("approved_launches");
  });

  const slack = {
    ...launch,
    args: ["-y", "slack@1.0.0"],
    env: { LINEAR: "${LINEAR}", SLACK_API_URL: "https://slack.com/api" },
  };

  it("has its secrets when the whole launch is approved, though its package is not listed", async () => {
    const { sent } = await submit(slack);
    expect(sent[0]?.text).toContain("acme-linear-value");
  });

  it.each<[string, Record<string, unknown>, object]>([
    ["one changed literal", { env: { ...slack.env, SLACK_API_URL: "https://evil.test/" } }, {}],
    ["one variable more", { env: { ...slack.env, NODE_DEBUG: "http" } }, {}],
    ["another version", { args: ["-y", "slack@1.0.1"] }, {}],
    ["one argument more", { args: ["-y", "slack@1.0.0", "--url=https://evil.test"] }, {}],
    ["a config", { config: { url: "https://evil.test" } }, {}],
    [
      "an env file",
      { env_file: ".env" },
      { env_files: { ".env": "SLACK_API_URL=https://evil.test" } },
    ],
  ])("is refused when an approved launch has %s", async (_, change, body) => {
    const answer = await submit({ ...slack, ...change }, { body });
    expect([code(answer.body), answer.sent]).toEqual(["SERVER_NOT_ALLOWED", []]);
  });

  it("gets no secret where the request steers an approved launch by inputs", async () => {
    const steered = {
      ...tenant,
      approved_launches: [
        {
          command: "npx",
          args: ["-y", "slack@1.0.0"],
          env: { LINEAR: "${LINEAR}", URL: "${URL}" },
        },
      ],
    };
    const server = { ...slack, env: { LINEAR: "${LINEAR}", URL: "${URL}" } };
    const { body, sent } = await submit(server, {
      tenant: steered,
      body: { inputs: { URL: "https://evil.test" } },
    });
    expect([code(body), sent]).toEqual(["REFERENCE_UNRESOLVED", []]);
  });
});

describe("servers of submitted configs", () => {
  it("are all refused in production while the tenant has no policy", async () => {
    for (const server of [remote, launch]) {
      const { status, body, sent } = await submit(server, { tenant: {} });
      expect([status, code(body), sent]).toEqual([403, "SERVER_NOT_ALLOWED", []]);
    }
  });

  it("do not pass by a narrowed key, and its own servers and tools do", async () => {
    const operators = [
      { ...remote, name: "linear" },
      { ...remote, name: "other", url: "https://free.example.com/mcp" },
    ];
    const options = {
      tenantServers: operators,
      keyFields: { servers: ["linear"], tools: ["get_*"] },
    };
    const { body, sent } = await submit(remote, options);
    expect([code(body), sent]).toEqual(["SERVER_NOT_ALLOWED", []]);
    const call = async (server: string, tool: string) =>
      submit(remote, { ...options, body: { config: undefined, server, tool } });
    expect(code((await call("other", "get_x")).body)).toBe("SERVER_NOT_FOUND");
    const excluded = await call("linear", "delete_x");
    expect(JSON.stringify(excluded.sent)).not.toContain("tools/call");
    expect(excluded.body).toMatchObject({
      error: {
        code: "TOOL_NOT_ALLOWED",
        message: "Tool 'delete_x' is excluded by the `tools` of the key for server 'linear'.",
        hint: "Ask the operator for a key that may use it.",
      },
    });
    expect((await call("linear", "get_x")).sent.length).toBeGreaterThan(0);
  });

  it("do not lend their env files to an operator's server", async () => {
    const operator = { ...launch, env_file: ".env", env: { TOKEN: "${LINEAR}" } };
    const { body, sent } = await submit(remote, {
      tenantServers: [operator],
      body: {
        config: undefined,
        server: "a",
        env_files: { ".env": "SLACK_API_URL=https://evil.test" },
      },
    });
    expect([code(body), sent]).toEqual(["ENV_FILE_NOT_PROVIDED", []]);
  });
});

describe("what is revoked", () => {
  it.each([
    ["a key", '{"keys":["k7f3"]}', 401],
    ["a tenant", '{"tenants":["acme"]}', 401],
    ["a text that cannot be read", '{"keys":', 503],
    ["a list that cannot be read", '{"tenant":["acme"]}', 503],
  ])("lets nobody in: %s", async (_, revoked, status) => {
    const answer = await submit(remote, { env: { GANGWAY_REVOKED: revoked } });
    expect([answer.status, answer.sent]).toEqual([status, []]);
  });

  it("takes effect on the next request, without another build", async () => {
    let revoked = "";
    const edge = await testEdge({
      deps: {
        revocations: () => ({
          keys: new Set([revoked]),
          tenants: new Set(),
          origins: new Set(),
          packages: [],
        }),
      },
    });
    expect((await edge.post("/v1/tools/list", {})).status).toBe(200);
    revoked = "k7f3";
    expect((await edge.post("/v1/tools/list", {})).status).toBe(401);
  });

  it("wins over the operator's own servers: origins and packages", async () => {
    const env = {
      GANGWAY_REVOKED: '{"origins":["https://mcp.linear.app"],"packages":["npm:@acme/a@1.0.0"]}',
    };
    for (const [server, expected] of [
      [remote, "URL_NOT_ALLOWED"],
      [launch, "LAUNCH_NOT_ALLOWED"],
      [{ ...launch, args: ["-y", "@acme/a"] }, "LAUNCH_NOT_ALLOWED"],
    ] as const) {
      const { body, sent } = await submit(remote, {
        env,
        tenantServers: [server],
        body: { config: undefined, server: "a" },
      });
      expect([code(body), sent]).toEqual([expected, []]);
    }
  });
});

describe("the audit line", () => {
  it("tells who did what where, and no value", async () => {
    const lines: AuditLine[] = [];
    const server = {
      ...remote,
      url: `${remote.url}/s3cret-path?k=v`,
      headers: { authorization: "Bearer ${LINEAR}" },
    };
    await submit(server, {
      body: {
        tool: "get_x",
        arguments: { password: "argument-value" },
        options: { subject: "user-1" },
      },
      deps: {
        audit: (line) => lines.push(line),
        fetch: async () => new Response(null, { status: 401 }),
      },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      event: "call",
      tenant: "acme",
      key_id: "k7f3",
      source: "submitted",
      server: "a",
      destination: "https://mcp.linear.app",
      method: "tools/call",
      tool: "get_x",
      secrets: ["LINEAR"],
      status: "error",
      error_code: "UPSTREAM_UNAUTHORIZED",
      executed: "no",
    });
    expect(lines[0]?.subject_hash).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.stringify(lines)).not.toMatch(/-value|user-1|s3cret-path|k=v/);
  });

  it("is written for refusals as well, one for each call and each listed server", async () => {
    const lines: AuditLine[] = [];
    const deps = { audit: (line: AuditLine) => void lines.push(line) };
    const edge = await testEdge({ tenantServers: [{ ...remote, url: "https://10.0.0.1/" }], deps });
    await edge.post("/v1/tools/call", {
      calls: [
        { server: "a", tool: "x" },
        { server: "b", tool: "y" },
      ],
    });
    await edge.post("/v1/tools/list", {});
    const written = lines.map(({ server, method, error_code }) => [server, method, error_code]);
    expect(written.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      [null, "tools/call", "SERVER_NOT_FOUND"],
      ["a", "tools/call", "URL_NOT_ALLOWED"],
      ["a", "tools/list", "URL_NOT_ALLOWED"],
    ]);
  });
});
