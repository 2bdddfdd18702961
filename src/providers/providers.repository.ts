import { Injectable } from '@nestjs/common';
import { newId } from '../common/ids.js';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../database/index.js';
import { Provider } from './provider.entity.js';

/** An environment has at most one record for each of the contract's 40 provider names. */
const MAX_PROVIDERS = 40;

const ENABLED = scopedStatement(
  'providers.listEnabled',
  'SELECT provider FROM providers WHERE environment_id = $1 AND enabled_at IS NOT NULL',
);
const ENABLE = scopedStatement(
  'providers.enable',
  `INSERT INTO providers (environment_id, id, provider, enabled_at) VALUES ($1, $2, $3, now())
   ON CONFLICT (environment_id, provider) DO NOTHING`,
);

@Injectable()
export class ProvidersRepository extends ScopedRepository<Provider> {
  constructor(database: Database) {
    super(database, Provider);
  }

  async listEnabledNames(environmentId: EnvironmentId): Promise<string[]> {
    const rows = await this.database.rows<{ provider: string }>(ENABLED, [environmentId]);
    return rows.map(({ provider }) => provider);
  }

  listAll(environmentId: EnvironmentId): Promise<Provider[]> {
    return this.list(environmentId, {}, { orderBy: 'id', limit: MAX_PROVIDERS });
  }

  /** Adds a provider, enabled, unless the environment has a record of it. */
  async enable(environmentId: EnvironmentId, provider: string, tx: Transaction): Promise<void> {
    await tx.execute(ENABLE, [environmentId, newId(), provider]);
  }
}
