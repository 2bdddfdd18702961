import { Injectable } from '@nestjs/common';
import { Database, deploymentStatement } from '../database/index.js';

const ANSWER = deploymentStatement('server.answer', 'SELECT 1 AS answer');

@Injectable()
export class HealthcheckRepository {
  constructor(private readonly database: Database) {}

  /** @throws when the database does not respond */
  async assertAnswering(): Promise<void> {
    await this.database.rows(ANSWER, []);
  }
}
