import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { PersonRows, type EnvironmentId } from '../../database/index.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import { PersonTracesRepository } from './person-traces.repository.js';

/** Row limit per table; the file says if there are more. */
const MAX_ROWS = 10_000;

/** All data held about a person, for the person (GDPR Art. 15 and 20). */
export interface PersonFile {
  exportedAt: Date;
  environmentId: string;
  userId: string;
  /** As the API shows it. */
  user: FullUser;
  /** By table; sealed or hashed values are left out, as nobody can read them. */
  records: Record<string, object[]>;
  /** Tables with more rows than the limit. */
  cut: string[];
}

/** Creates the file. Read-only and without a transaction: concurrent changes may or may not be included. */
@Injectable()
export class PersonExport {
  constructor(
    private readonly users: UserReader,
    private readonly rows: PersonRows,
    private readonly traces: PersonTracesRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 404 */
  async read(environmentId: EnvironmentId, userId: string): Promise<PersonFile> {
    const user = await this.users.getFull(environmentId, userId);
    const tables = [
      ...(await this.rows.list(environmentId, userId, MAX_ROWS)),
      ...(await this.traces.list(environmentId, userId, MAX_ROWS)),
    ];
    const records = Object.fromEntries(tables.map(({ table, rows }) => [table, rows]));
    const cut = tables.filter(({ isCut }) => isCut).map(({ table }) => table);
    return { exportedAt: this.clock.now(), environmentId, userId, user, records, cut };
  }
}
