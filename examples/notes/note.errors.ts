import { defineError } from '../../src/common/errors/index.js';

export const tooManyNotes = defineError({
  code: 'too_many_notes',
  status: 422,
  message: 'The environment has as many notes as it may have.',
  hint: 'Delete a note first.',
  cause: 'An environment may have 100 notes.',
  fix: 'Delete notes that are no longer needed.',
});
