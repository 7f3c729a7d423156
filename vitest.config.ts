import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { portableTests } from "./test/support/portable-tests.ts";

export default defineConfig({
  test: {
    // The projects run one after the other: what waits for processes gets the cores for itself.
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          // For machines that are busy with other work.
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // shared/ once more, in the runtime that it is written for, and the edge in it.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            // What a deployment with many tenants binds.
            miniflare: { kvNamespaces: ["TENANTS"] },
          }),
        ],
        test: {
          name: "workerd",
          include: ["test/workerd/**/*.test.ts", ...portableTests("test/unit/shared")],
          // A runtime a file costs two seconds each.
          isolate: false,
          testTimeout: 20_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          sequence: { groupOrder: 2 },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          sequence: { groupOrder: 4 },
          // Each starts the whole product; side by side they would fight for ports and cores.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
