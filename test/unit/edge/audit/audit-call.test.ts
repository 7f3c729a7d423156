import { describe, expect, it } from "vitest";
import { type AuditedCall, auditCall } from "../../../../functions/edge/audit/audit-call.ts";
import { logSink } from "../../../../functions/edge/audit/audit-line.ts";
import { serverConfigSchema } from "../../../../shared/config/server-config.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

const remote = serverConfigSchema.parse({
  name: "a",
  type: "mcp",
  transport: "http",
  url: "https://a.example.com:8443/secret-path?k=${KEY}",
  headers: { authorization: "Bearer ${KEY}" },
});
const launch = serverConfigSchema.parse({
  name: "b",
  type: "mcp",
  command: "npx",
  args: ["-y", "@acme/b@1.0.0", "--key", "argument-secret"],
});
const metadata = {
  era: "modern",
  upstream_requests: 1,
  masked: 2,
  warm: true,
  timings_ms: { run: 5 },
} as const;

const call: AuditedCall = {
  requestId: "r1",
  caller: { tenant: "acme", keyId: "k7f3" },
  subject: "user-1",
  method: "tools/call",
  tool: "get_x",
  server: { name: "a", source: "tenant", config: remote },
  secrets: ["KEY", "A"],
  outcome: { status: "ok", metadata },
  startedAt: Date.parse("2026-12-01T12:00:00Z"),
  endedAt: Date.parse("2026-12-01T12:00:00.250Z"),
};

describe("an audit line", () => {
  it("has every field of one operation", async () => {
    expect(await auditCall(call)).toEqual({
      event: "call",
      ts: "2026-12-01T12:00:00.000Z",
      request_id: "r1",
      tenant: "acme",
      key_id: "k7f3",
      subject_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      source: "tenant",
      config_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      server: "a",
      destination: "https://a.example.com:8443",
      method: "tools/call",
      tool: "get_x",
      era: "modern",
      upstream_requests: 1,
      secrets: ["A", "KEY"],
      masked: 2,
      status: "ok",
      error_code: null,
      executed: "yes",
      bytes: expect.any(Number),
      ms: { run: 5, total: 250 },
      warm: true,
      container_ms: 0,
    });
  });

  it("names packages without their arguments, and counts their time", async () => {
    const line = await auditCall({
      ...call,
      server: { name: "b", source: "tenant", config: launch },
    });
    expect(line).toMatchObject({ destination: "npm:@acme/b@1.0.0", container_ms: 250 });
    expect(JSON.stringify(line)).not.toContain("argument-secret");
  });

  it("tells a failure by its code, and none of its text", async () => {
    const outcome = new GatewayError("SERVER_ERROR", "the server wrote this", {
      executed: "maybe",
    });
    const line = await auditCall({ ...call, outcome });
    expect(line).toMatchObject({
      status: "error",
      error_code: "SERVER_ERROR",
      executed: "maybe",
      bytes: 0,
    });
    expect(JSON.stringify(line)).not.toContain("wrote this");
  });

  it("counts no container time for what was refused before any contact", async () => {
    const outcome = new GatewayError("LAUNCH_NOT_ALLOWED", "no");
    const server = { name: "b", source: "submitted", config: launch } as const;
    expect(await auditCall({ ...call, outcome, server })).toMatchObject({ container_ms: 0 });
  });

  it("tells subjects of different tenants apart", async () => {
    const other = await auditCall({ ...call, caller: { ...call.caller, tenant: "globex" } });
    expect(other.subject_hash).not.toBe((await auditCall(call)).subject_hash);
  });

  it("is one line of JSON, whatever its names hold", async () => {
    const written: string[] = [];
    const server = { name: "s".repeat(60_000), source: "submitted", config: null } as const;
    logSink((text) => written.push(text))(
      await auditCall({ ...call, server, tool: `a\nb"${"x".repeat(500)}` }),
    );
    expect(written).toHaveLength(1);
    expect(written[0]).not.toContain("\n");
    expect(JSON.parse(written[0] ?? "")).toMatchObject({
      tool: expect.stringMatching(/^a\nb"x+$/),
    });
    expect(written[0]?.length).toBeLessThan(1_200);
  });
});
