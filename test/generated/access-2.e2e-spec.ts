import { describe } from '@jest/globals';
import { accessSuite } from '../support/suites/access.js';
import { service } from '../support/suites/installation.js';

describe('access', () => accessSuite(service(2, 2)));
