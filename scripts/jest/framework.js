import { circus } from './parts.js';

/** Jest's framework, reporting only whole suites: nothing reads the two messages that it would send for each test. */
export default function framework(globalConfig, config, environment, runtime, path) {
  return circus(globalConfig, config, environment, runtime, path);
}
