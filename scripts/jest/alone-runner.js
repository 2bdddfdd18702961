import WorkersRunner from './runner.js';

/**
 * Runs the suites of a project one at a time, in one worker. Jest runs its runners one after the other, so that while
 * these suites run, which measure times or start several instances, no other suite does.
 */
export default class AloneRunner extends WorkersRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
}
