import { Injectable } from '@nestjs/common';
import { Database, asSystem } from '../database/index.js';

const ANSWER = asSystem('asks only whether the database answers').statement('healthcheck.answer', 'SELECT 1 AS answer');

@Injectable()
export class HealthcheckRepository {
  constructor(private readonly database: Database) {}

  /** @throws when the database does not answer. */
  async assertAnswering(): Promise<void> {
    await this.database.rows(ANSWER, []);
  }
}
