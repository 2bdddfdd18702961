import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../src/database/index.js';
import { NoteRow } from './note.entity.js';

const INSERT = scopedStatement(
  'notes.insert',
  `INSERT INTO notes (environment_id, id, text, user_id)
   SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM notes WHERE environment_id = $1) < $5
   RETURNING environment_id AS "environmentId", id, text, user_id AS "userId", created_at AS "createdAt"`,
);

@Injectable()
export class NotesRepository extends ScopedRepository<NoteRow> {
  constructor(database: Database) {
    super(database, NoteRow);
  }

  /** Null when the environment has `most` notes. Writers take the lock in turn, so the limit is exact. */
  async insertWithin(
    most: number,
    environmentId: EnvironmentId,
    note: Pick<NoteRow, 'id' | 'text' | 'userId'>,
    tx: Transaction,
  ): Promise<NoteRow | null> {
    await this.lockTenant(environmentId, tx);
    return (await tx.rows<NoteRow>(INSERT, [environmentId, note.id, note.text, note.userId, most]))[0] ?? null;
  }
}
