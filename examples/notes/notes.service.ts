import { Injectable } from '@nestjs/common';
import { notFound } from '../../src/common/errors/index.js';
import { newId } from '../../src/common/ids.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../src/database/index.js';
import type { Note, NoteCreateRequest, NotesResponse } from './note.dto.js';
import type { NoteRow } from './note.entity.js';
import { tooManyNotes } from './note.errors.js';
import { NOTE_CREATED, NOTE_DELETED } from './note.events.js';
import { NotesRepository } from './notes.repository.js';

const MAX_PER_ENVIRONMENT = 100;

const shown = ({ id, text, createdAt }: NoteRow): Note => ({ id, text, createdAt });

@Injectable()
export class NotesService {
  constructor(
    private readonly notes: NotesRepository,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  async list(environmentId: EnvironmentId): Promise<NotesResponse> {
    const rows = await this.notes.list(environmentId, {}, { orderBy: 'id', limit: MAX_PER_ENVIRONMENT });
    return { notes: rows.map(shown) };
  }

  async create(environmentId: EnvironmentId, { text }: NoteCreateRequest): Promise<Note> {
    return this.work.run(async (tx) => {
      const row = await this.notes.insertWithin(MAX_PER_ENVIRONMENT, environmentId, { id: newId(), text }, tx);
      if (!row) throw tooManyNotes();
      const note = shown(row);
      await this.outbox.append(environmentId, [{ event: NOTE_CREATED, resourceId: note.id, data: note }], tx);
      return note;
    });
  }

  async delete(environmentId: EnvironmentId, id: string): Promise<void> {
    await this.work.run(async (tx) => {
      if ((await this.notes.delete(environmentId, { id }, tx)) === 0) throw notFound();
      await this.outbox.append(environmentId, [{ event: NOTE_DELETED, resourceId: id, data: { id } }], tx);
    });
  }
}
