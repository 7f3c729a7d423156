import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../shared/config/read-config.ts";

const messageOf = (name: string, value: string): string | undefined => {
  const server = { name: "a", type: "mcp", description: "d", command: "npx", args: ["a@1.0.0"] };
  const text = JSON.stringify({ tools: [{ ...server, env: { [name]: value } }] });
  return readConfig({ text }).findings.find(({ id }) => /^GW41[13]$/.test(id))?.message;
};
const part = "A part of it looks like a reference and is sent as it stands.";

describe("what is told of a text that looks like a reference", () => {
  it.each([
    ["PATTERN", "pa$SEGMENT/x", "$SEGMENT is sent as it stands."],
    ["API_TOKEN", "$SEGMENT", "$SEGMENT is sent as it stands."],
    ["API_TOKEN", "Bearer ${SEGMENT", "${SEGMENT is sent as it stands."],
    ["API_TOKEN", "pa$SEGMENT9x", part],
    ["DB_PASSWORD", "abc%SECRETS%def", part],
    ["API_TOKEN", "hunter2${hunter3", part],
    ["API_TOKEN", "x${cmd:hunter2}", "A part of it asks to run a command or read a file."],
  ])("%s: %s shows nothing of a credential", (name, value, message) => {
    expect(messageOf(name, value)).toBe(message);
  });
});
