import { launch, remote, stdio, type RuleCase } from "./rule-case.ts";

const good = remote("https://mcp.example.com/mcp");

export const networkCases: Readonly<Record<string, RuleCase | readonly RuleCase[]>> = {
  GW301: { fires: remote("⟦mcp.example.com"), misses: good },
  GW302: [
    { fires: remote("⟦http://mcp.example.com/mcp"), misses: good },
    { fires: remote("⟦http://localhost.evil.com/mcp"), misses: remote("http://localhost/mcp") },
    { fires: remote("⟦wss://mcp.example.com/mcp"), misses: good },
    { fires: remote("⟦ftp://mcp.example.com/mcp"), misses: good },
    { fires: remote("⟦http://tools:8000/mcp"), misses: remote("https://tools:8000/mcp") },
  ],
  GW303: { fires: remote("⟦http://localhost:3000/mcp"), misses: good },
  GW304: [
    { fires: remote("⟦https://10.0.0.8/mcp"), misses: good },
    { fires: remote('⟦"https://[::ffff:10.0.0.8]/mcp"'), misses: good },
    { fires: remote("⟦https://metadata.google.internal/mcp"), misses: good },
    { fires: remote("⟦https://intranet/mcp"), misses: good },
    { options: { mode: "production" }, fires: remote("⟦https://localhost/mcp"), misses: good },
  ],
  GW305: [
    { fires: remote("⟦https://mcp.example.com/sse"), misses: good },
    // A refused URL is looked at as well.
    { fires: remote('⟦"https://${HOST}/sse"'), misses: remote('"https://${HOST}/mcp"') },
    {
      fires: remote("⟦https://mcp.example.com/sse/?a=b"),
      misses: remote("https://a.example.com/mcp?a=/sse"),
    },
  ],
  GW306: { fires: remote("⟦https://user:hunter2hunter2@mcp.example.com/mcp"), misses: good },
  GW307: [
    { fires: remote('⟦"https://mcp.example.com/mcp#a"'), misses: good },
    {
      options: { mode: "production" },
      fires: remote("⟦https://mcp.example.com:22/mcp"),
      misses: good,
    },
  ],
  GW308: [
    {
      fires: remote("https://mcp.example.com/mcp", "headers: {⟦Host: a}"),
      misses: remote("https://mcp.example.com/mcp", "headers: {X-Team: a}"),
    },
    {
      fires: remote("https://mcp.example.com/mcp", 'headers: {⟦X-A: "a\\r\\nb"}'),
      misses: remote("https://mcp.example.com/mcp", "headers: {X-A: ab}"),
    },
    {
      fires: remote("https://mcp.example.com/mcp", "headers: {X-A: a, ⟦x-a: b}"),
      misses: remote("https://mcp.example.com/mcp", "headers: {X-A: a, x-b: b}"),
    },
  ],
  GW310: [
    {
      fires: stdio("env: {DB: ⟦bolt://localhost:7687}"),
      misses: stdio("env: {DB: 'bolt://localhost.example.com:7687'}"),
    },
    {
      fires: stdio("env: {DB: ⟦postgres://app@127.0.0.1/x}"),
      misses: stdio("env: {HOST: 127.0.0.1, PORT: '8080'}"),
    },
    {
      fires: launch("npx", "[-y, pkg@1.0.0, ⟦--url=http://host.docker.internal:9222/]"),
      misses: launch("npx", "[-y, pkg@1.0.0, --host=localhost]"),
    },
    {
      fires: launch("npx", '[-y, mcp-remote@0.1.30, ⟦"http://[::1]:3000/mcp"]'),
      misses: launch("npx", '[-y, mcp-remote@0.1.30, "http://example.com/?to=http://[::1]"]'),
    },
    {
      options: { mode: "production" },
      fires: stdio("env: {DB: ⟦bolt://localhost}"),
      misses: stdio("env: {DB: bolt://db.example.com}"),
    },
  ],
  GW309: [
    { fires: remote("⟦https://mcp.example.com:3000/mcp"), misses: good },
    { fires: remote("⟦http://tools:8000/mcp"), misses: remote("http://tools/mcp") },
  ],
};
