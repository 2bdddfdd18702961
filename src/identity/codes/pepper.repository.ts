import { Injectable } from '@nestjs/common';
import { Database, deploymentStatement } from '../../database/index.js';

const READ = deploymentStatement('pepper.read', 'SELECT sealed FROM service_secrets WHERE name = $1');
const ADD = deploymentStatement(
  'pepper.add',
  'INSERT INTO service_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
);
const REPLACE = deploymentStatement(
  'pepper.replace',
  'UPDATE service_secrets SET sealed = $3 WHERE name = $1 AND sealed = $2',
);

@Injectable()
export class PepperRepository {
  constructor(private readonly database: Database) {}

  async find(name: string): Promise<Buffer | null> {
    return (await this.database.rows<{ sealed: Buffer }>(READ, [name]))[0]?.sealed ?? null;
  }

  /** Stores it unless another instance was faster. */
  async add(name: string, sealed: Buffer): Promise<void> {
    await this.database.execute(ADD, [name, sealed]);
  }

  /** @returns rows changed: none if it was replaced in the meantime */
  replace(name: string, sealed: Buffer, replacement: Buffer): Promise<number> {
    return this.database.execute(REPLACE, [name, sealed, replacement]);
  }
}
