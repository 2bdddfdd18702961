import { DateField, ListField, PickOf, StringField, UuidField } from '../../src/common/fields/index.js';

/** A note as the API shows it. */
export class Note {
  @UuidField()
  id!: string;

  @StringField({ min: 1, max: 1000 })
  text!: string;

  @UuidField({ nullable: true, optional: true, description: 'The user the note is about.' })
  userId?: string | null;

  @DateField()
  createdAt!: Date;
}

export class DeletedNote extends PickOf(Note, ['id', 'userId']) {}

export class NoteCreateRequest extends PickOf(Note, ['text', 'userId']) {}

export class NotesResponse {
  @ListField(() => Note)
  notes!: Note[];
}
