import { defineEvent } from '../../src/database/index.js';

export const NOTE_CREATED = defineEvent('note.created', 'A note was written.');
export const NOTE_DELETED = defineEvent('note.deleted', 'A note was deleted.');
