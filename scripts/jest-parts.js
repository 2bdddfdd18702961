/**
 * Parts of this installation's Jest, found from Jest itself: they are dependencies of Jest, not of this package. They are
 * required, not imported, because Jest loads its extensions in the middle of its own CommonJS modules.
 */
import { createRequire } from 'node:module';

const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const core = createRequire(jest.resolve('@jest/core'));

export const { default: TestRunner } = core('jest-runner');
export const { default: Runtime } = core('jest-runtime');
export const { default: TestSequencer } = core('@jest/test-sequencer');
