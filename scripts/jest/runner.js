import { TestRunner } from './parts.js';

/**
 * Suites always run in workers, except with `--runInBand`: a watching process would keep the modules of the first run
 * (runtime.js), whereas each run has new workers.
 */
export default class WorkersRunner extends TestRunner {
  runTests(tests, watcher, options) {
    return super.runTests(tests, watcher, { ...options, serial: this._globalConfig.runInBand });
  }
}
