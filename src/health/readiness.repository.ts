import { Injectable } from '@nestjs/common';
import { Database, MIGRATIONS, deploymentStatement } from '../database/index.js';

const STATE = deploymentStatement(
  'server.readState',
  `SELECT clock_timestamp() AS now, current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
);

export interface DatabaseState {
  /** By the clock of the database. */
  now: Date;
  /** A standby, or a server that was told to take no writes. */
  isReadOnly: boolean;
}
const APPLIED = deploymentStatement('migrations.list', 'SELECT name FROM migrations');

/** What the database says about itself. */
@Injectable()
export class ReadinessRepository {
  constructor(private readonly database: Database) {}

  async state(): Promise<DatabaseState> {
    const [row] = await this.database.rows<DatabaseState>(STATE, []);
    if (!row) throw new Error('The database answered without a time.');
    return row;
  }

  /** Names of the migrations this build brings and the database has not seen. */
  async pendingMigrations(): Promise<string[]> {
    const applied = new Set((await this.database.rows<{ name: string }>(APPLIED, [])).map(({ name }) => name));
    return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
  }
}
