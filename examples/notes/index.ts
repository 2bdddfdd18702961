export { NOTE_CREATED, NOTE_DELETED } from './note.events.js';
export { NotesModule } from './notes.module.js';
