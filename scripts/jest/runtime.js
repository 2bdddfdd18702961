/**
 * Runs suites on Node's own modules. Jest would load all modules again for each suite, in a context of its own: four
 * thousand of them, compiled, linked and warmed up for each of five hundred suites. Here a worker loads a module once,
 * as the service does, and optimised code stays. A suite creates its own applications, databases and tenants; mocks,
 * the environment and timers are restored after each (environment.js).
 */
import { createRequire, registerHooks } from 'node:module';
import { setInterval } from 'node:timers';
import { pathToFileURL } from 'node:url';
import '../typescript-loader.js';
import { offerGlobals } from './globals.js';

const GLOBALS = new URL('./globals.js', import.meta.url).href;
const require = createRequire(import.meta.url);

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});
process.setSourceMapsEnabled(true);
// A run that ends at once, as with `--bail`, does not stop its workers, and what a suite left open would keep them alive.
// To listen for the end of the channel would do so as well.
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(), 1_000).unref();

export default class NodeRuntime {
  constructor(_config, environment) {
    this.environment = environment;
    const { moduleMocker: mocks, fakeTimersModern: timers } = environment;
    this.jest = {
      fn: (...given) => mocks.fn(...given),
      spyOn: (...given) => mocks.spyOn(...given),
      restoreAllMocks: () => mocks.restoreAllMocks(),
      useFakeTimers: (options) => timers.useFakeTimers(options),
      useRealTimers: () => timers.useRealTimers(),
      setSystemTime: (now) => timers.setSystemTime(now),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      setTimeout: (ms) => {
        globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms;
      },
    };
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
  }

  /** Jest's own framework, new for each suite: it collects the tests of one. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  setGlobalsForRuntime(globals) {
    // Jest maps lines with its own compiler's source maps; Node knows those of the modules it loaded.
    Error.prepareStackTrace = undefined;
    offerGlobals({ ...globals, jest: this.jest });
  }

  getSourceMaps() {
    return null;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
