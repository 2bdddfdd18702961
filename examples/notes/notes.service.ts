import { Injectable } from '@nestjs/common';
import { notFound } from '../../src/common/errors/index.js';
import { newId } from '../../src/common/ids.js';
import { UnitOfWork, type EnvironmentId, type Work } from '../../src/database/index.js';
import { ChangeLog, type Actor } from '../../src/organizations/index.js';
import type { Note, NoteCreateRequest, NotesResponse } from './note.dto.js';
import type { NoteRow } from './note.entity.js';
import { tooManyNotes } from './note.errors.js';
import { NOTE_CREATED, NOTE_DELETED } from './note.events.js';
import { NotesRepository } from './notes.repository.js';

const MAX_PER_ENVIRONMENT = 100;

const shown = ({ id, text, userId, createdAt }: NoteRow): Note => ({ id, text, userId, createdAt });

@Injectable()
export class NotesService {
  constructor(
    private readonly notes: NotesRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(environmentId: EnvironmentId): Promise<NotesResponse> {
    const rows = await this.notes.list(environmentId, {}, { orderBy: 'id', limit: MAX_PER_ENVIRONMENT });
    return { notes: rows.map(shown) };
  }

  async create(environmentId: EnvironmentId, request: NoteCreateRequest, actor: Actor, work: Work): Promise<Note> {
    const note = { id: newId(), text: request.text, userId: request.userId ?? null };
    return work.run(async (tx) => {
      const row = await this.notes.insertWithin(MAX_PER_ENVIRONMENT, environmentId, note, tx);
      if (!row) throw tooManyNotes();
      const after = shown(row);
      const change = { event: NOTE_CREATED, resource: { type: 'note', id: row.id }, before: null, after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      return after;
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const row = await this.notes.lock(environmentId, { id }, tx);
      if (!row) throw notFound();
      await this.notes.delete(environmentId, { id }, tx);
      const change = { event: NOTE_DELETED, resource: { type: 'note', id }, before: shown(row), after: null };
      const data = { id, userId: row.userId };
      await this.changes.record({ scope: { environmentId }, actor, ...change, data }, tx);
    });
  }
}
