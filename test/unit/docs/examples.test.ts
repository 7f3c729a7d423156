import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { routeTable } from "../../../functions/edge/routes/table.ts";
import { readConfig } from "../../../shared/config/read-config.ts";
import { readDeployment } from "../../../shared/config/read-deployment.ts";
import { codeBlocks, writtenPages } from "../../support/docs.ts";
import { root } from "../../support/source-files.ts";

const guides = writtenPages.filter(({ path }) => path.startsWith("docs/guide/"));
const blocks = guides.flatMap(({ path, text }) => codeBlocks(path, text));
const routes = routeTable(async () => {
  throw new TypeError("the table is read without a request");
});

describe("bodies of requests in the guide", () => {
  const bodies = blocks.filter(({ language }) => language === "json");

  it("are seen", () => {
    expect(bodies.length).toBeGreaterThan(8);
  });

  it.each(bodies)("are taken by the route's schema: $info", ({ info, code }) => {
    const route = routes.find(({ method, path }) => info === `${method} ${path}`);
    const schema = route?.request?.["application/json"];
    expect(schema?.safeParse(JSON.parse(code)).error).toBeUndefined();
    expect(schema).toBeDefined();
  });
});

describe("configs in the guide", () => {
  const configs = blocks
    .filter(({ language }) => language === "yaml")
    .map((block) => ({ ...block, isDeployment: /^tenants:/m.test(block.code) }));

  it("are seen, of both kinds", () => {
    expect(new Set(configs.map(({ isDeployment }) => isDeployment)).size).toBe(2);
  });

  it.each(configs)("have no findings: $page", ({ code, isDeployment }) => {
    const { findings } = isDeployment
      ? readDeployment(code, { mode: "production" })
      : readConfig({ text: code });
    expect(findings).toEqual([]);
  });
});

describe("programs in the guide", () => {
  const programs = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ code }) => code.split("\n"))
    .flatMap((line) => /^npx node -e '([^']+)'$/.exec(line)?.[1] ?? []);
  const printed = [
    /^gw_prod_k7f3_[0-9a-f]{64}_[0-9a-f]{8} [0-9a-f]{64}\n$/,
    /^\{.*"d":.*\}\n\{(?!.*"d":).*\}\n$/,
    /^s1:[\w-]{43}\n$/,
  ];

  it("are as many as are run here", () => {
    expect(programs).toHaveLength(printed.length);
  });

  it("print keys of the right form", async () => {
    const outputs = await Promise.all(
      programs.map(async (program) => {
        const run = promisify(execFile)(process.execPath, ["-e", program], { cwd: root });
        return (await run).stdout;
      }),
    );
    for (const form of printed) expect(outputs.filter((text) => form.test(text))).toHaveLength(1);
  });
});
