import { describe } from '@jest/globals';
import { auditSuite } from '../support/suites/audit.js';
import { service } from '../support/suites/installation.js';

describe('every operation of the dashboard that changes something', () => auditSuite(service()));
