import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { PersonRows, type EnvironmentId } from '../../database/index.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import { PersonTracesRepository } from './person-traces.repository.js';

/** Of one table; a person with more is told so. */
const MAX_ROWS = 10_000;

/** Everything that is held about a person, for the person to read (GDPR Art. 15 and 20). */
export interface PersonFile {
  exportedAt: Date;
  environmentId: string;
  userId: string;
  /** As the API shows it. */
  user: FullUser;
  /** By the tables in which it stands; what is sealed or hashed is left out, as nobody can read it. */
  records: Record<string, object[]>;
  /** Tables of which there is more. */
  cut: string[];
}

/** Makes the file. It reads only, and outside of a transaction: what changes meanwhile may be in it or not. */
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
    const tables = await this.rows.list(environmentId, userId, MAX_ROWS);
    const traces = await this.traces.list(environmentId, userId, MAX_ROWS);
    const records = { ...Object.fromEntries(tables.map(({ table, rows }) => [table, rows])), ...traces };
    const cut = tables.filter(({ isCut }) => isCut).map(({ table }) => table);
    return { exportedAt: this.clock.now(), environmentId, userId, user, records, cut };
  }
}
