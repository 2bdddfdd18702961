import { relative, sep } from 'node:path';
import { TestSequencer } from './parts.js';

/** Short to read and long to run: suites made from the document or from others, and those that start programs or a browser. */
export const LONGER_THAN_THEY_LOOK = [
  /^examples\/notes\/notes\./,
  /^test\/generated\//,
  /^test\/(build|nest-cli|schema)\./,
  /^test\/e2e\/(access-sweep|analytics-windows|assurance|examples-answer|missing-fields-walk|tokens-made-late)\./,
  /^test\/e2e\/(canary|cli-events|cli-help|first-run|recipes|rolling-restart|signer-process|start-modes|start-together)\./,
  /^test\/e2e\/\S+-(kill|killed)\./,
  /^test\/e2e\/\S+\.browser\./,
];

/**
 * The longest suites first, so that the workers end together. Jest does so by the times of the last run; where there was
 * none, as on CI, it goes by the size of the files and would leave the longest to the end, for one worker alone.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const isLong = ({ path, context }) => {
      const name = relative(context.config.rootDir, path).replaceAll(sep, '/');
      return LONGER_THAN_THEY_LOOK.some((longer) => longer.test(name));
    };
    const { true: long = [], false: others = [] } = Object.groupBy(super.sort(tests), (test) => String(isLong(test)));
    return [...long, ...others];
  }
}
