import { describe } from '@jest/globals';
import { accessSuite } from '../../test/support/suites/access.js';
import { auditSuite } from '../../test/support/suites/audit.js';
import { badInputSuite } from '../../test/support/suites/bad-input.js';
import { eventsSuite } from '../../test/support/suites/events.js';
import { extended } from '../../test/support/suites/installation.js';
import { isolationSuite } from '../../test/support/suites/isolation.js';
import { keyedSuite } from '../../test/support/suites/keyed.js';
import { CreateNotes20270101000000 } from './20270101000000-create-notes.js';
import { NotesModule } from './index.js';
import { surface } from './notes.surface.js';

const notes = await extended({ modules: [NotesModule], migrations: [new CreateNotes20270101000000()], surface });

describe('access to notes', () => accessSuite(notes));
describe('notes written with a key', () => keyedSuite(notes));
describe('notes of another tenant', () => isolationSuite(notes));
describe('bad input of notes', () => badInputSuite(notes));
describe('changes of notes', () => auditSuite(notes));
describe('notes', () => eventsSuite(notes));
