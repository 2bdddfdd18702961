import { describe } from '@jest/globals';
import { badInputSuite } from '../support/suites/bad-input.js';
import { service } from '../support/suites/installation.js';

describe('bad input', () => badInputSuite(service(2, 4)));
