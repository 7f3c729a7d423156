/** What `npm run mutation` does: changes the code that keeps secrets, and sees whether a test notices. */
export default {
  mutate: [
    "shared/policy/**/*.ts",
    "shared/secrets/**/*.ts",
    "shared/seal/**/*.ts",
    "functions/host/process/redact.ts",
    "functions/edge/operation/endpoint-wall.ts",
    "functions/edge/operation/granted-names.ts",
  ],
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts" },
  coverageAnalysis: "perTest",
  concurrency: 1,
  // A machine that is busy with other work is no endless loop.
  timeoutMS: 20_000,
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  jsonReporter: { fileName: "coverage/mutation/report.json" },
  incrementalFile: "coverage/mutation/incremental.json",
  tempDirName: "coverage/mutation/tree",
  // TypeScript 7 has no API that rewrites a tsconfig; the copied tree needs none.
  tsconfigFile: "none",
  ignorePatterns: ["/coverage", "/dist", "/.wrangler", "/.gangway", "/docs", "/my-agent.yaml"],
};
