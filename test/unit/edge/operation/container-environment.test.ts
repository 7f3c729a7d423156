import { describe, expect, it } from "vitest";
import { containerEnvironment } from "../../../../functions/edge/operation/container-environment.ts";
import { parseDockerArgs } from "../../../../shared/policy/docker.ts";

const environment = {
  env: { LEVEL: "debug", UNNAMED: "stays", MCP_CONFIG: "{}" },
  secret_env: { TOKEN: "s3cret-value" },
};

function containerOf(written: string[], expanded: string[] = written) {
  const read = (args: string[]) => {
    const parsed = parseDockerArgs(["run", "-i", ...args, "owner/image"]);
    if (!parsed.ok) throw new TypeError(parsed.message);
    return parsed.value;
  };
  return containerEnvironment({
    written: read(written),
    expanded: read(expanded),
    environment,
    always: ["MCP_CONFIG"],
  });
}

describe("containerEnvironment", () => {
  it("forwards what -e names, and of all else only Gangway's own (case 29)", () => {
    expect(containerOf(["-e", "LEVEL", "-e", "TOKEN"])).toEqual({
      ok: true,
      value: {
        env: { LEVEL: "debug", MCP_CONFIG: "{}" },
        secret_env: { TOKEN: "s3cret-value" },
      },
    });
  });

  it("refuses a name that the config does not set (case 29)", () => {
    expect(containerOf(["-e", "LEVEL", "-e", "AWS_REGION"])).toMatchObject({
      ok: false,
      reason: "env-not-declared",
      message: expect.stringContaining("AWS_REGION"),
    });
  });

  it("takes no name from the prototype of objects", () => {
    expect(containerOf(["-e", "constructor"])).toMatchObject({ reason: "env-not-declared" });
  });

  it("sets what -e gives a value, as a secret when a reference stood there", () => {
    expect(
      containerOf(
        ["-e", "MODE=fast", "-e", "KEY=${API_KEY}"],
        ["-e", "MODE=fast", "-e", "KEY=the-api-key"],
      ),
    ).toMatchObject({
      value: { env: { MODE: "fast" }, secret_env: { KEY: "the-api-key" } },
    });
  });

  it("lets the server's config win over a value of its name", () => {
    expect(containerOf(["-e", "MCP_CONFIG=other"])).toMatchObject({
      value: { env: { MCP_CONFIG: "{}" }, secret_env: {} },
    });
  });
});
