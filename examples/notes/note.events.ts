import { defineEvent } from '../../src/database/index.js';
import { DeletedNote, Note } from './note.dto.js';

export const NOTE_CREATED = defineEvent('note.created', 'A note was written.', { payload: Note });
export const NOTE_DELETED = defineEvent('note.deleted', 'A note was deleted.', { payload: DeletedNote });
