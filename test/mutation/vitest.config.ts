import { defineConfig } from "vitest/config";

/** The unit tests of what is mutated, in Node alone. */
export default defineConfig({
  test: {
    include: [
      "test/unit/shared/policy/**/*.test.ts",
      "test/unit/shared/secrets/**/*.test.ts",
      "test/unit/shared/seal/**/*.test.ts",
      "test/unit/host/process/redact.test.ts",
      "test/unit/edge/operation/secret-walls.test.ts",
    ],
    // One is about time, of which instrumented code takes more. The other takes a third of the time
    // of all, for configs from outside of this repository.
    exclude: ["**/launch-time.test.ts", "**/policy/corpus.test.ts"],
    setupFiles: ["test/mutation/few-runs.ts"],
    // A process a file is what takes most of the time otherwise.
    isolate: false,
    testTimeout: 20_000,
  },
});
