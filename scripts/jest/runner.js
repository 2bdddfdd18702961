import { TestRunner } from './parts.js';

/**
 * Suites always run in workers, unless `--runInBand` asks for none: the process that watches files would go on with the
 * modules of the first run (runtime.js), and a worker is new in each.
 */
export default class WorkersRunner extends TestRunner {
  runTests(tests, watcher, options) {
    return super.runTests(tests, watcher, { ...options, serial: this._globalConfig.runInBand });
  }
}
