/**
 * Parts of this installation's Jest, resolved from Jest itself, because they are its dependencies and not this
 * package's. They are required, not imported, because Jest loads its extensions while loading its own CommonJS modules.
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
