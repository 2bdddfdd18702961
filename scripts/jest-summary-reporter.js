import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes the counts of a run to `.cache/test-summary.json`, for a script that must not read them off the terminal. */
export default class SummaryReporter {
  constructor(globalConfig) {
    this.path = join(globalConfig.rootDir, '.cache/test-summary.json');
  }

  onRunComplete(_contexts, results) {
    const summary = {
      passed: results.numPassedTests,
      // A suite that cannot even be loaded has no tests to count.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      total: results.numTotalTests,
    };
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, `${JSON.stringify(summary)}\n`);
  }
}
