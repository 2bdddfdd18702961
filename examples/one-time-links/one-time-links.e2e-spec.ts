import { describe } from '@jest/globals';
import { accessSuite } from '../../test/support/suites/access.js';
import { auditSuite } from '../../test/support/suites/audit.js';
import { badInputSuite } from '../../test/support/suites/bad-input.js';
import { eventsSuite } from '../../test/support/suites/events.js';
import { extended } from '../../test/support/suites/installation.js';
import { isolationSuite } from '../../test/support/suites/isolation.js';
import { CreateOneTimeLinks20270101000100 } from './20270101000100-create-one-time-links.js';
import { OneTimeLinksModule } from './index.js';
import { surface } from './one-time-links.surface.js';

const links = await extended({
  modules: [OneTimeLinksModule],
  migrations: [new CreateOneTimeLinks20270101000100()],
  surface,
});

describe('access to one-time links', () => accessSuite(links));
describe('one-time links of another tenant', () => isolationSuite(links));
describe('bad input of one-time links', () => badInputSuite(links));
describe('changes of one-time links', () => auditSuite(links));
describe('one-time links', () => eventsSuite(links));
