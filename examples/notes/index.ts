export { CreateNotes20270101000000 } from './20270101000000-create-notes.js';
export { NOTE_CREATED, NOTE_DELETED } from './note.events.js';
export { NotesModule } from './notes.module.js';
