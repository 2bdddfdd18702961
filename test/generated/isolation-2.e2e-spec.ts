import { describe } from '@jest/globals';
import { isolationSuite } from '../support/suites/isolation.js';
import { service } from '../support/suites/installation.js';

describe('isolation', () => isolationSuite(service(2, 2)));
