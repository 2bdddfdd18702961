import { Injectable } from '@nestjs/common';
import { asSystem, Database } from '../database/index.js';

const FIND = asSystem('a start of a development instance has no caller yet').statement(
  'organizations.probe',
  'SELECT id FROM organizations WHERE id = $1',
);

/** Whether what a quick start file names is still in the database. */
@Injectable()
export class Quickstarts {
  constructor(private readonly database: Database) {}

  async exists(organizationId: string): Promise<boolean> {
    return (await this.database.rows(FIND, [organizationId])).length > 0;
  }
}
