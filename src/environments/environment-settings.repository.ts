import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { Database, scopedStatement, ScopedRepository } from '../database/index.js';
import { EnvironmentSettings } from './environment-settings.entity.js';

/** Settings with their version. */
export type KnownSettings = Pick<EnvironmentSettings, 'settings' | 'version'>;

const FIND_OTHER = scopedStatement(
  'environmentSettings.findOther',
  'SELECT settings, version FROM environment_settings WHERE environment_id = $1 AND version <> $2',
);

@Injectable()
export class EnvironmentSettingsRepository extends ScopedRepository<EnvironmentSettings> {
  constructor(database: Database) {
    super(database, EnvironmentSettings);
  }

  /** The settings if their version differs from the given one: nothing is transferred for a known version. */
  async findOther(environmentId: EnvironmentId, version: number): Promise<KnownSettings | null> {
    const [other] = await this.database.rows<KnownSettings>(FIND_OTHER, [environmentId, version]);
    return other ?? null;
  }
}
