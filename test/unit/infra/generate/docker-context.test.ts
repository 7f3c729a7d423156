import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dockerContext } from "../../../../infra/generate/docker-context.ts";
import { root } from "../../../support/source-files.ts";

const lines = dockerContext().split("\n");
const kept = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));

describe("what a build of the host's image sees", () => {
  it("is nothing but what is listed, and all of that is there", () => {
    expect(lines.findIndex((line) => line === "*")).toBeLessThan(lines.indexOf(`!${kept[0]}`));
    expect(kept.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("is the host's source, the packages that it imports, and what those need", () => {
    expect(kept).toEqual(expect.arrayContaining(["package.json", "functions/host", "shared"]));
    const direct = ["@modelcontextprotocol/client", "jose", "pino", "zod"];
    // Of pino, and of what pino needs.
    const needed = ["sonic-boom", "real-require"];
    const paths = [...direct, ...needed].map((name) => `node_modules/${name}`);
    expect(kept).toEqual(expect.arrayContaining(paths));
  });

  it.each(["typescript", "wrangler", "@aws-sdk/client-secrets-manager", "@cloudflare/containers"])(
    "is not %s, which the host has no use for",
    (name) => {
      expect(kept).not.toContain(`node_modules/${name}`);
    },
  );
});
