import { Injectable } from '@nestjs/common';
import { Database, MIGRATIONS, deploymentStatement } from '../database/index.js';

const STATE = deploymentStatement(
  'server.readState',
  `SELECT clock_timestamp() AS now, current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
);

export interface DatabaseState {
  /** The database clock. */
  now: Date;
  /** True for a standby or a read-only server. */
  isReadOnly: boolean;
}
const APPLIED = deploymentStatement('migrations.list', 'SELECT name FROM migrations');

/** Queries the state of the database, however busy this instance is: load is no reason to take it out of service. */
@Injectable()
export class ReadinessRepository {
  constructor(private readonly database: Database) {}

  async state(): Promise<DatabaseState> {
    const [row] = await this.database.rowsAtOnce<DatabaseState>(STATE, []);
    if (!row) throw new Error('The database answered without a time.');
    return row;
  }

  /** Whether the disk of the database was full when something was last written, and still is. */
  lacksRoom(): Promise<boolean> {
    return this.database.lacksRoom();
  }

  /** The migrations of this build that have not been applied to the database. */
  async pendingMigrations(): Promise<string[]> {
    const applied = new Set((await this.database.rowsAtOnce<{ name: string }>(APPLIED, [])).map(({ name }) => name));
    return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
  }
}
