import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { unlistedSkips } from "./not-run.ts";

/**
 * Prints `N passed, N failed, N skipped` alone as the last line. A file that could not be run
 * counts as one failure; a skipped test fails the run unless `test/not-run.txt` says why.
 */
export default class ClosingLineReporter implements Reporter {
  /** A run of tests picked by name skips the others by intention. */
  private filtered = false;

  onInit(vitest: Vitest): void {
    this.filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === "skipped");
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const failed = count(tests, "failed") + broken + unhandledErrors.length;
    const unlisted = this.filtered ? [] : unlistedSkips(skipped.map((test) => nameOf(test)));
    for (const name of unlisted) console.log(`Skipped, and not in test/not-run.txt: ${name}`);
    if (failed > 0 || unlisted.length > 0) process.exitCode = 1;
    const line = `${count(tests, "passed")} passed, ${failed} failed, ${skipped.length} skipped`;
    // After the other reporters' summaries, whatever order they end in.
    process.on("exit", () => console.log(line));
  }
}

function count(tests: readonly TestCase[], state: "passed" | "failed"): number {
  return tests.filter((test) => test.result().state === state).length;
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}
