import WorkersRunner from './runner.js';

/**
 * Runs the suites of a project one at a time, in one worker. Jest runs its runners one after the other, so no other
 * suite runs beside these, which measure times or start several instances.
 */
export default class AloneRunner extends WorkersRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
}
