import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { examples, ownExamples } from "../../../../infra/start/examples.ts";
import { deploymentSchema } from "../../../../shared/config/deployment.ts";
import { readConfig } from "../../../../shared/config/read-config.ts";

const bare = deploymentSchema.parse({ mode: "development", version: "1.0" });
const withServer = deploymentSchema.parse({
  ...bare,
  mcp_servers: [{ name: "everything", type: "mcp", command: "npx" }],
});

/** What a shell makes of a command line: its words. */
function words(command: string): string[] {
  const program = 'for word in "$@"; do printf "%s\\0" "$word"; done';
  const script = command.replace(/^curl /, "print ");
  return execFileSync("sh", ["-c", `print() { ${program}; }\n${script}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

const edge = { url: "http://127.0.0.1:8787", key: "gw_dev_it's" };

describe("the printed examples", () => {
  it.each(examples(edge, withServer))(
    "are single lines that a shell passes on as they are meant: $title",
    ({ command }) => {
      expect(command).not.toContain("\n");
      const got = words(command);
      expect(got).toContain("authorization: Bearer gw_dev_it's");
      expect(() => JSON.parse(got.at(-1) ?? "")).not.toThrow();
    },
  );

  it("validate a config that has no findings", () => {
    const [validate] = examples(edge, bare);
    const { files } = JSON.parse(words(validate?.command ?? "").at(-1) ?? "");
    const { path, text } = files[0];
    expect(readConfig({ path, text }).findings).toEqual([]);
  });

  it("send the server along where the deployment does not have it", () => {
    const bodyOf = (deployment: typeof bare) =>
      JSON.parse(words(examples(edge, deployment)[2]?.command ?? "").at(-1) ?? "");
    expect(bodyOf(withServer)).not.toHaveProperty("config");
    expect(bodyOf(bare).config.tools).toHaveLength(1);
  });
});

describe("the printed examples of a config of one's own", () => {
  const file = "/home/ada/it's mine/agent.yaml";
  const call = { server: "mine", tool: "read", arguments: { path: "it's" } };
  const [validate, list, called] = ownExamples(edge, file, call).map(({ command }) =>
    words(command),
  );

  it("validate its file, whatever its path", () => {
    expect(validate).toContain(`${edge.url}/v1/validate?format=text&path=agent.yaml`);
    expect(validate?.slice(-2)).toEqual(["--data-binary", `@${file}`]);
  });

  it("list its server's tools and call one of them", () => {
    expect(JSON.parse(list?.at(-1) ?? "")).toEqual({ servers: ["mine"] });
    expect(JSON.parse(called?.at(-1) ?? "")).toEqual(call);
  });
});
