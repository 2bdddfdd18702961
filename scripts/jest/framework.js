import { circus } from './parts.js';

/** Jest's framework, which tells of a suite when it is over: nobody reads the two messages that it would send of each test. */
export default function framework(globalConfig, config, environment, runtime, path) {
  return circus(globalConfig, config, environment, runtime, path);
}
