import { Injectable } from '@nestjs/common';
import { asSystem, Database, MIGRATIONS } from '../database/index.js';

const NOW = asSystem('the clock of the database belongs to no tenant').statement(
  'health.now',
  'SELECT clock_timestamp() AS now',
);
const APPLIED = asSystem('the list of migrations belongs to no tenant').statement(
  'health.migrations',
  'SELECT name FROM migrations',
);

/** What the database says about itself. */
@Injectable()
export class ReadinessRepository {
  constructor(private readonly database: Database) {}

  async databaseTime(): Promise<Date> {
    const [row] = await this.database.rows<{ now: Date }>(NOW, []);
    if (!row) throw new Error('The database answered without a time.');
    return row.now;
  }

  /** Names of the migrations this build brings and the database has not seen. */
  async pendingMigrations(): Promise<string[]> {
    const applied = new Set((await this.database.rows<{ name: string }>(APPLIED, [])).map(({ name }) => name));
    return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.has(name));
  }
}
