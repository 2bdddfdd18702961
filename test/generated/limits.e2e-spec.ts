import { describe } from '@jest/globals';
import { limitsSuite } from '../support/suites/limits.js';
import { service } from '../support/suites/installation.js';

describe('limits', () => limitsSuite(service()));
