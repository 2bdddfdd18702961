import WorkersRunner from './runner.js';

/**
 * Runs the suites of a project beside each other, but beside no other ones: Jest runs its runners one after the other,
 * and tells them apart by file.
 */
export default class WaitingRunner extends WorkersRunner {}
