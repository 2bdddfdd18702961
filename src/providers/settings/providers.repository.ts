import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { hasKnownType } from '../types/provider-types.js';
import { ProviderRow } from './provider.entity.js';

/** Limit on records per environment; a type may have several, of which one is enabled. */
export const MAX_PROVIDERS = 100;

const ENABLED = scopedStatement(
  'providers.listEnabledNames',
  'SELECT provider FROM providers WHERE environment_id = $1 AND enabled_at IS NOT NULL',
);
const LIST_ENABLED = scopedStatement(
  'providers.listEnabled',
  `SELECT environment_id AS "environmentId", id, provider, enabled_at AS "enabledAt", configuration, agreement,
     sealed_secret AS "sealedSecret", master_key_id AS "masterKeyId", created_at AS "createdAt",
     updated_at AS "updatedAt"
   FROM providers WHERE environment_id = $1 AND provider = ANY($2::text[]) AND enabled_at IS NOT NULL`,
);
const ENABLE = scopedStatement(
  'providers.enable',
  `INSERT INTO providers (environment_id, id, provider, enabled_at) VALUES ($1, $2, $3, now())
   ON CONFLICT (environment_id, provider) WHERE enabled_at IS NOT NULL DO NOTHING`,
);
const SWITCH = scopedStatement(
  'providers.switch',
  `UPDATE providers SET enabled_at = CASE WHEN $3 THEN coalesce(enabled_at, now()) END, updated_at = now()
   WHERE environment_id = $1 AND id = $2`,
);
@Injectable()
export class ProvidersRepository extends ScopedRepository<ProviderRow> {
  constructor(database: Database) {
    super(database, ProviderRow);
  }

  async listEnabledNames(environmentId: EnvironmentId, on?: Transaction): Promise<string[]> {
    const rows = await (on ?? this.database).rows<{ provider: string }>(ENABLED, [environmentId]);
    return rows.map(({ provider }) => provider);
  }

  /** Records of known types. */
  async listAll(environmentId: EnvironmentId, on?: Transaction): Promise<ProviderRow[]> {
    return (await this.list(environmentId, {}, { orderBy: 'id', limit: MAX_PROVIDERS }, on)).filter(hasKnownType);
  }

  async findKnown(environmentId: EnvironmentId, id: string, on?: Transaction): Promise<ProviderRow | null> {
    return known(await this.find(environmentId, { id }, on));
  }

  async lockKnown(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<ProviderRow | null> {
    return known(await this.lock(environmentId, { id }, tx));
  }

  listEnabled(environmentId: EnvironmentId, names: readonly string[]): Promise<ProviderRow[]> {
    return this.database.rows<ProviderRow>(LIST_ENABLED, [environmentId, names]);
  }

  /** Adds an enabled provider, unless one of the type is enabled already. */
  async enable(environmentId: EnvironmentId, provider: string, tx: Transaction): Promise<void> {
    await tx.execute(ENABLE, [environmentId, newId(), provider]);
  }

  /** @throws a violation of `ENABLED_ONCE` when another of the type is enabled */
  async switch(environmentId: EnvironmentId, id: string, enabled: boolean, tx: Transaction): Promise<void> {
    await tx.execute(SWITCH, [environmentId, id, enabled]);
  }

  /** Null when the limit is reached. Creations in an environment are serialised. */
  insertWithinLimit(
    environmentId: EnvironmentId,
    row: Pick<ProviderRow, 'id' | 'provider' | 'configuration' | 'agreement' | 'sealedSecret' | 'masterKeyId'>,
    tx: Transaction,
  ): Promise<ProviderRow | null> {
    return this.insertIfRoom(MAX_PROVIDERS, environmentId, row, tx, 'throw');
  }

  /** All records of known types; none can be added meanwhile. */
  async lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<ProviderRow[]> {
    return (await this.lockEvery(environmentId, 'id', tx)).filter(hasKnownType);
  }
}

const known = (row: ProviderRow | null): ProviderRow | null => (row && hasKnownType(row) ? row : null);
