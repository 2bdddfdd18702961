import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const MINUTE_MS = 60_000;
const SLOWEST = 10;

const minutes = (ms) => (ms / MINUTE_MS).toFixed(1);

/**
 * Writes the counts of a run to `.cache/test-summary.json`, for scripts. On CI it also reports durations: suites run
 * concurrently, so their minutes add up to more than the elapsed time.
 */
export default class SummaryReporter {
  constructor(globalConfig) {
    this.root = globalConfig.rootDir;
    this.suites = [];
  }

  onTestResult(test, { perfStats: { start, end } }) {
    const project = test.context.config.displayName?.name ?? 'tests';
    this.suites.push({ project, start, end, path: relative(this.root, test.path) });
  }

  onRunComplete(_contexts, results) {
    const summary = {
      passed: results.numPassedTests,
      // A suite that fails to load has no tests to count.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      total: results.numTotalTests,
    };
    const path = join(this.root, '.cache/test-summary.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(summary)}\n`);
    if (process.env.CI) console.log(this.times().join('\n'));
  }

  times() {
    const projects = Object.entries(Object.groupBy(this.suites, ({ project }) => project)).map(([project, suites]) => {
      const sum = suites.reduce((ms, { start, end }) => ms + end - start, 0);
      const clock = Math.max(...suites.map(({ end }) => end)) - Math.min(...suites.map(({ start }) => start));
      return `project ${project}: ${minutes(clock)} minutes, ${suites.length} suites of ${minutes(sum)} minutes in all`;
    });
    const slowest = this.suites
      .toSorted((a, b) => b.end - b.start - (a.end - a.start))
      .slice(0, SLOWEST)
      .map(({ path, start, end }) => `  ${((end - start) / 1000).toFixed(0).padStart(4)} s  ${path}`);
    return [...projects, 'slowest suites:', ...slowest];
  }
}
