/**
 * Parts of this installation's Jest, found from Jest itself: they are dependencies of Jest, not of this package. They are
 * required, not imported, because Jest loads its extensions in the middle of its own CommonJS modules.
 */
import { createRequire } from 'node:module';

const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const core = createRequire(jest.resolve('@jest/core'));
const config = createRequire(core.resolve('jest-config'));
const environment = createRequire(config.resolve('jest-environment-node'));

export const { default: circus } = config('jest-circus/runner');
export const { DefaultReporter } = core('@jest/reporters');
export const { default: TestRunner } = core('jest-runner');
export const { default: TestSequencer } = core('@jest/test-sequencer');
export const { ModernFakeTimers } = environment('@jest/fake-timers');
export const { ModuleMocker } = environment('jest-mock');
