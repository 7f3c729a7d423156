import { stringify } from "yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportFormats } from "../../../shared/reports/report-formats.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { findCanaries } from "../../support/canaries/find-canaries.ts";
import {
  type LeakyServer,
  leakyModes,
  startLeakyServer,
} from "../../support/canaries/leaky-server.ts";
import { makeCanaries } from "../../support/canaries/make-canaries.ts";
import { encoders } from "../../unit/shared/secrets/canaries.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";

const canaries = makeCanaries(200, 1_126);
const vars = Object.fromEntries(canaries.map(({ name, value }) => [`GW_SECRET_${name}`, value]));
const references = Object.fromEntries(canaries.map(({ name }) => [name, `\${${name}}`]));
/** Canaries that run at the same time. */
const width = 12;

/** What a mode's answer is to have, so that the canary has gone the way that is meant. */
const codes: Readonly<Record<string, string>> = {
  version: "VERSION_UNSUPPORTED",
  "refused handshake": "SERVER_ERROR",
  "http error": "UPSTREAM_HTTP_ERROR",
  "content type": "RESPONSE_INVALID",
  redirect: "UPSTREAM_REDIRECT",
  unauthorized: "UPSTREAM_UNAUTHORIZED",
  "long error": "SERVER_ERROR",
  "error at the cut": "SERVER_ERROR",
  garbage: "RESPONSE_INVALID",
  "foreign id": "RESPONSE_INVALID",
  endpoint: "URL_NOT_ALLOWED",
  events: "event: result",
  subprotocol: "RESPONSE_INVALID",
  closes: "CONNECTION_LOST",
  "no message": "RESPONSE_INVALID",
};

let registry: NpmRegistry;
let leaky: LeakyServer;
let gangway: Gangway;

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
  leaky = await startLeakyServer(canaries);
  const stdio = (name: string, mode: string, env = references) => ({
    name,
    type: "mcp",
    description: "d",
    command: "npx",
    args: ["-y", "-p", "@fixture/stdio@1.0.0", "leaky", mode],
    env,
  });
  const entries = Object.entries(references);
  const groups = Array.from({ length: 8 }, (_, group) =>
    Object.fromEntries(entries.filter((_entry, index) => index % 8 === group)),
  );
  gangway = await startGangway({
    bare: true,
    registry: registry.url,
    vars: { ...vars, GANGWAY_SEAL_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64url")}` },
    servers: [
      stdio("leaky", "serve"),
      // The end of stderr has room for few of them.
      ...groups.map((env, group) => stdio(`starts${group}`, "crash-at-start", env)),
      ...groups.map((env, group) => stdio(`crashes${group}`, "serve", env)),
      {
        name: "remote",
        type: "mcp",
        description: "d",
        transport: "http",
        url: `${leaky.url}/result/0`,
        config: { canaries: Object.values(references) },
      },
    ],
  });
}, 120_000);

afterAll(() => Promise.all([gangway?.close(), leaky?.close(), registry?.close()]));

/** Requests that are operations. */
let sent = 0;

/** Sends one request and answers all that came back, headers too. */
async function send(
  path: string,
  body: unknown,
  accept = "application/json",
  method = "POST",
): Promise<string> {
  if (!/^\/v1\/(?:validate|convert|sessions)/.test(path)) sent += 1;
  const response = await fetch(`${gangway.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${gangway.key}`,
      "content-type": "application/json",
      accept,
    },
    body: JSON.stringify(body),
  });
  return JSON.stringify([...response.headers]) + (await response.text());
}

function expectClean(text: string, least = 1): void {
  expect(text.length).toBeGreaterThanOrEqual(least);
  expect(findCanaries(text, canaries)).toEqual([]);
}

const forms = ["application/json", "text/event-stream"] as const;

describe("the checker", () => {
  it.each(Object.entries(encoders))("finds every canary that is planted %s", (_, encode) => {
    const text = canaries.map(({ value }) => `{"planted":"x ${encode(value)} y"}`).join("\n");
    const missed = canaries.length - findCanaries(text, canaries).length;
    expect(missed).toBe(0);
  });

  it("finds half of a value, and one inside the escapes of a report", () => {
    const [first, second] = canaries;
    const half = `…${(first?.value ?? "").slice(0, 16)}…`;
    const report = JSON.stringify({ text: JSON.stringify(second?.value) });
    expect(findCanaries(half + report, canaries).map(({ name }) => name)).toEqual(["C000", "C001"]);
  });

  it("finds nothing in labels and names", () => {
    const text = canaries.map(({ name }) => `[secret ${name}] \${${name}} ***`).join("\n");
    expect(findCanaries(text, canaries)).toEqual([]);
  });
});

describe.each(forms)("200 secrets of a stdio server, answered as %s", (accept) => {
  const options = { log_level: "debug", timeout_s: 20 };

  it.each(["result", "fails", "refuses", "talks"])(
    "are masked in what its tool '%s' tells",
    async (tool) => {
      const text = await send("/v1/tools/call", { server: "leaky", tool, options }, accept);
      expect(text).toMatch(/"(content|error)":/);
      expectClean(text, 400);
    },
  );

  it.each([
    ["/v1/tools/list", {}],
    ["/v1/prompts/list", {}],
    ["/v1/resources/list", {}],
    ["/v1/resources/templates/list", {}],
    ["/v1/prompts/get", { server: "leaky", prompt: "any" }],
    ["/v1/resources/read", { server: "leaky", uri: "x://any" }],
    [
      "/v1/complete",
      {
        server: "leaky",
        ref: { type: "ref/prompt", name: "any" },
        argument: { name: "a", value: "" },
      },
    ],
  ])("are masked in the answer of %s", async (path, body) => {
    const scope = "server" in body ? {} : { servers: ["leaky"] };
    const text = await send(path, { ...scope, ...body, options }, accept);
    expect(text).not.toContain('"REQUEST_INVALID"');
    expectClean(text, 400);
  });

  it("are masked in the end of stderr of one that does not start, or breaks off", async () => {
    for (const group of Array.from({ length: 8 }, (_, index) => index)) {
      const starts = send(
        "/v1/tools/call",
        { server: `starts${group}`, tool: "t", options },
        accept,
      );
      const crashes = send(
        "/v1/tools/call",
        { server: `crashes${group}`, tool: "crash", options },
        accept,
      );
      const texts = await Promise.all([starts, crashes]);
      expect(texts.join()).toMatch(/PROCESS_START_FAILED[^]*PROCESS_EXITED/);
      for (const text of texts) expectClean(text, 2_000);
    }
  }, 60_000);
});

/** One call for each canary, to a server that has it alone and tells it as `mode` says. */
async function sendEach(
  server: (index: number, reference: string) => Record<string, unknown>,
  accept: string,
): Promise<string[]> {
  const texts: string[] = [];
  const left = canaries.map(({ name }, index) => server(index, `\${${name}}`));
  const worker = async (): Promise<void> => {
    for (let config = left.shift(); config !== undefined; config = left.shift()) {
      const named = { name: "s", type: "mcp", description: "d", protocol: "legacy", ...config };
      const options = { log_level: "debug" };
      texts.push(await send("/v1/tools/call", { config: named, tool: "t", options }, accept));
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return texts;
}

describe("200 secrets of remote servers", () => {
  it("arrive, and are masked in answers to calls and lists", async () => {
    const calls = await send("/v1/tools/call", { server: "remote", tool: "t" });
    const lists = await send("/v1/tools/list", { servers: ["remote"] });
    expectClean(calls + lists, 400);
    const missing = canaries.filter(
      ({ value }) => !leaky.received(JSON.stringify(value).slice(1, -1)),
    );
    expect(missing).toEqual([]);
  });

  const cases = [
    ...leakyModes.http.map((mode) => ["http", mode] as const),
    ...leakyModes.sse.map((mode) => ["sse", mode] as const),
    ...leakyModes.websocket.map((mode) => ["websocket", mode] as const),
  ];

  it.each(cases)("are masked one by one over %s: %s", async (transport, mode) => {
    const origin = transport === "websocket" ? leaky.url.replace("http", "ws") : leaky.url;
    const texts = await sendEach(
      (index, reference) => ({
        transport,
        url: `${origin}/${encodeURIComponent(mode)}/${index}`,
        config: { reference },
      }),
      // Events are told in streams alone; the other ways of a leak take turns.
      mode === "events" || cases.findIndex(([, other]) => other === mode) % 2 === 1
        ? "text/event-stream"
        : "application/json",
    );
    const expected = codes[mode] ?? '"success":true';
    expect(texts.filter((text) => !text.includes(expected))).toEqual([]);
    expectClean(texts.join("\n"));
  });

  it("are refused in headers and queries that cannot carry them, and masked there", async () => {
    const texts = await sendEach(
      (index, reference) => ({
        transport: "http",
        url: `${leaky.url}/result/${index}?k=${reference}`,
        headers: { "x-api-key": reference, authorization: `Bearer ${reference}` },
      }),
      forms[0],
    );
    expect(texts.some((text) => text.includes('"success":true'))).toBe(true);
    expect(texts.some((text) => text.includes('"URL_NOT_ALLOWED"'))).toBe(true);
    expectClean(texts.join("\n"));
  });

  it("are masked where a session is kept and its end is refused", async () => {
    const texts: string[] = [];
    const ended: string[] = [];
    const left = canaries.map(({ name }, index) => ({
      name: "s",
      type: "mcp",
      description: "d",
      transport: "http",
      protocol: "legacy",
      url: `${leaky.url}/kept/${index}`,
      config: { reference: `\${${name}}` },
    }));
    const worker = async (): Promise<void> => {
      for (let config = left.shift(); config !== undefined; config = left.shift()) {
        const options = { session: "new" };
        const text = await send("/v1/tools/call", { config, tool: "t", options });
        texts.push(text);
        const handle = /"session":"(gws1\.[^"]+)"/.exec(text)?.[1] ?? "no-handle";
        ended.push(await send(`/v1/sessions/${handle}`, { config }, forms[0], "DELETE"));
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    expect(texts.filter((text) => text.includes('"success":true'))).toHaveLength(canaries.length);
    expect(ended.filter((text) => text.includes('"UPSTREAM_HTTP_ERROR"'))).toHaveLength(
      canaries.length,
    );
    expectClean(texts.join("\n") + ended.join("\n"));
  }, 120_000);

  it("are masked where a request brings them itself", async () => {
    const inputs = Object.fromEntries(canaries.map(({ name, value }) => [`I${name}`, value]));
    const config = {
      name: "s",
      type: "mcp",
      description: "d",
      transport: "http",
      url: `${leaky.url}/long error/7`,
      config: Object.keys(inputs).map((name) => `\${${name}}`),
    };
    const body = { config: { ...config, config: { all: config.config } }, inputs, tool: "t" };
    expectClean(await send("/v1/tools/call", body), 200);
  });
});

/** Configs that hold a canary each, written out where a credential belongs. */
const files = (["json", "yaml"] as const).flatMap((syntax) =>
  canaries.map(({ value, name }) => {
    const entry = { name: `s${name}`, type: "mcp", description: "d" };
    const tools = [
      { ...entry, command: "npx", args: ["-y", "a@1.0.0"], env: { API_TOKEN: value } },
      {
        ...entry,
        name: `r${name}`,
        transport: "http",
        url: `https://mcp.example.com/mcp?api_key=${encodeURIComponent(value)}`,
        headers: { Authorization: `Bearer ${value}` },
      },
    ];
    const text = syntax === "json" ? JSON.stringify({ tools }, null, 2) : stringify({ tools });
    return { path: `${name}.${syntax}`, text };
  }),
);

describe("the validator's reports", () => {
  it.each(Object.keys(reportFormats))("show none as %s", async (format) => {
    const batches = Array.from({ length: 4 }, (_, at) => files.slice(at * 100, at * 100 + 100));
    for (const batch of batches) {
      const text = await send(`/v1/validate?format=${format}`, { files: batch });
      expect(text).toMatch(/GW402|credential/);
      expectClean(text, 1_000);
    }
  });
});

describe("the converter", () => {
  it("fills no reference in", async () => {
    const config = {
      tools: [{ name: "s", type: "mcp", command: "npx", args: ["-y", "a@1.0.0"], env: references }],
    };
    const text = await send("/v1/convert", { text: JSON.stringify(config) });
    expect(text).toContain("${C000}");
    expectClean(text, 4_000);
  });

  it("shows none in what it finds, or cannot convert", async () => {
    const told: string[] = [];
    for (const { text } of files.slice(0, canaries.length)) {
      const answer = await send("/v1/convert", { text });
      // The document itself is the caller's own, and comes back with what it holds.
      const body = JSON.parse(answer.slice(answer.indexOf('{"dialect"')));
      told.push(JSON.stringify({ ...body, yaml: null }));
    }
    expect(told.filter((text) => text.includes('"GW40'))).toHaveLength(canaries.length);
    expectClean(told.join("\n"));
  }, 120_000);
});

describe("the logs of edge and host", () => {
  it("hold an audit line for each operation, the host's of each run, and no secret", async () => {
    await send("/v1/tools/call", { server: "crashes0", tool: "crash" });
    const edge = gangway.edgeLog();
    const host = gangway.host.lines.join("\n");
    expect(edge.split('"event":"call"').length).toBeGreaterThanOrEqual(sent);
    expect(host).toContain('"run failed"');
    expect(host).toContain("stdout holds a line");
    expectClean(`${edge}\n${host}`);
  });
});
