import { relative, sep } from 'node:path';
import { TestSequencer } from './parts.js';

/**
 * Small files that run long: suites generated from the document or from others, and those that start programs or a
 * browser.
 */
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
 * The longest suites first, so that the workers end together. Jest uses the durations of the last run; without one, as
 * on CI, it goes by file size and would leave the longest to the end, on one worker.
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
