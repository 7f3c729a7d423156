import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { root } from "../support/source-files.ts";

/** What the edge may upload at most, compressed. */
const maxGzipBytes = 350 * 1000;

it("keeps the edge's bundle within 350 kB compressed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gangway-bundle-"));
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  const args = ["deploy", "--dry-run", "--minify", `--outdir=${folder}`];
  const env = { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" };
  await promisify(execFile)(process.execPath, [wrangler, ...args], { cwd: root, env });
  const bundle = await readFile(join(folder, "worker.js"));
  await rm(folder, { recursive: true });
  const bytes = gzipSync(bundle, { level: 9 }).byteLength;
  console.log(`edge bundle: ${bundle.byteLength} bytes, ${bytes} compressed`);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(maxGzipBytes);
});
