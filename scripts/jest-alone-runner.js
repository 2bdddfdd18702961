import { createRequire } from 'node:module';

/**
 * The runner of this installation's Jest, found from Jest itself: it is a dependency of Jest, not of this package. It
 * is required, not imported, because Jest loads this file in the middle of its own CommonJS modules.
 */
const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const core = createRequire(jest.resolve('@jest/core'));
const { default: TestRunner } = core('jest-runner');

/**
 * Runs the suites of a project one at a time, in one worker. Jest runs its runners one after the other, so that while
 * these suites run, which measure times or start several instances, no other suite does.
 */
export default class AloneRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
}
