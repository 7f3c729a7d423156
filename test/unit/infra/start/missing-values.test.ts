import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { missingValues } from "../../../../infra/start/missing-values.ts";
import { readSecrets, type StartSecrets } from "../../../../infra/start/secrets.ts";
import { deploymentSchema } from "../../../../shared/config/deployment.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gangway-secrets-"));
  file = join(folder, "secrets.env");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function secretsOf(text: string, environment: Record<string, string> = {}): StartSecrets {
  writeFileSync(file, text);
  return readSecrets(file, environment);
}

const server = (name: string, headers: Record<string, string>, fields: object = {}) => ({
  name,
  type: "mcp",
  transport: "http",
  url: "https://a.example/mcp",
  headers,
  ...fields,
});

function missing(servers: readonly object[], secrets: StartSecrets, shared: object[] = []) {
  const tenants = [{ id: "dev-1", mcp_servers: servers }];
  const written = { mode: "development", version: "1.0", mcp_servers: shared, tenants };
  return missingValues(deploymentSchema.parse(written), secrets);
}

describe("the secrets of npm start", () => {
  it("tell lines that are no variables and names without the prefix, and no value", () => {
    const { notes } = secretsOf("what is this\nTOKEN=hush-hush\n");
    expect(notes).toEqual([
      expect.stringMatching(/secrets\.env:1:1 info The line is not of the form NAME=value\./),
      `${file} warning 'TOKEN' is not read: write \`GW_SECRET_TOKEN\`.`,
    ]);
    expect(notes.join()).not.toContain("hush");
  });
});

describe("references without a value", () => {
  it("are told with the variable and the file", () => {
    expect(
      missing([server("docs", { a: "Bearer ${TOKEN}", b: "${TOKEN}" })], secretsOf("")),
    ).toEqual([
      `Server 'docs' needs a value for \${TOKEN}: set GW_SECRET_TOKEN in the environment of npm start or in ${file}.`,
    ]);
  });

  it.each([
    ["GW_SECRET_TOKEN=value", 0],
    ["GW_SECRET_DEV_1__TOKEN=value", 0],
    ["GW_SECRET_OTHER__TOKEN=value", 1],
    ["GW_SECRET_TOKEN=", 1],
  ])("are those that the edge does not find either: with %s there are %i", (text, count) => {
    expect(missing([server("a", { a: "${TOKEN}" })], secretsOf(text))).toHaveLength(count);
  });

  it("are told to lack the prefix where the bare name is set", () => {
    const bare = secretsOf("", { TOKEN: "value" });
    expect(missing([server("a", { a: "${TOKEN}" })], bare)[0]).toMatch(
      / TOKEN is set, but only names that begin with GW_SECRET_ are read\.$/,
    );
  });

  it("are told to be renamed where no variable can hold them", () => {
    expect(missing([server("a", { a: "${A__B}" })], secretsOf("GW_SECRET_A__B=v"))[0]).toContain(
      "rename it in the config",
    );
  });

  it("are not told of servers that are disabled, nor of names that requests may fill", () => {
    const servers = [
      server("off", { a: "${ONE}" }, { disabled: true }),
      server("asks", { a: "${TWO}" }, { inputs: ["TWO"] }),
    ];
    expect(missing(servers, secretsOf(""))).toEqual([]);
  });

  it("are told of the deployment's own servers as well", () => {
    const shared = [server("shared", { a: "${TOKEN}" })];
    expect(missing([], secretsOf("GW_SECRET_DEV_1__TOKEN=v"), shared)).toHaveLength(1);
    expect(missing([], secretsOf("GW_SECRET_DEPLOYMENT__TOKEN=v"), shared)).toEqual([]);
  });
});
