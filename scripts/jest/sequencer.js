import { TestSequencer } from './parts.js';

/** Short to read and long to run: suites made from the document, and those that start programs or a browser. */
const LONGER_THAN_THEY_LOOK =
  /[\\/]test[\\/](generated[\\/]|e2e[\\/](access-sweep|canary|cli-events|cli-help|first-run|rolling-restart|signer-process|start-modes|\S+-kill|\S+-killed|\S+\.browser)\.)/;

/**
 * The longest suites first, so that the workers end together. Jest does so by the times of the last run; where there was
 * none, as on CI, it goes by the size of the files and would leave the longest to the end, for one worker alone.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const isLong = ({ path }) => LONGER_THAN_THEY_LOOK.test(path);
    const { true: long = [], false: others = [] } = Object.groupBy(super.sort(tests), (test) => String(isLong(test)));
    return [...long, ...others];
  }
}
