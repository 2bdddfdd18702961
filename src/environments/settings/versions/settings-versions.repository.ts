import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../auth/index.js';
import { scopedStatement, type Transaction } from '../../../database/index.js';
import type { ReplacedField } from './settings-version.entity.js';

/** A client that read the settings more changes ago than this must read them again. */
export const KEPT_VERSIONS = 500;

const ADD = scopedStatement(
  'settingsVersions.add',
  `WITH forgotten AS (
     DELETE FROM environment_settings_versions WHERE environment_id = $1 AND version <= $2::integer - ${KEPT_VERSIONS}
   )
   INSERT INTO environment_settings_versions (environment_id, version, replaced) VALUES ($1, $2, $3)`,
);

const SINCE = scopedStatement(
  'settingsVersions.listSince',
  `SELECT version, replaced FROM environment_settings_versions
   WHERE environment_id = $1 AND version > $2 ORDER BY version LIMIT ${KEPT_VERSIONS}`,
);

@Injectable()
export class SettingsVersionsRepository {
  /** Stores a change and deletes those beyond the limit. */
  async add(
    environmentId: EnvironmentId,
    version: number,
    replaced: readonly ReplacedField[],
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(ADD, [environmentId, version, JSON.stringify(replaced)]);
  }

  /** The changes after a version, oldest first. */
  since(
    environmentId: EnvironmentId,
    version: number,
    tx: Transaction,
  ): Promise<{ version: number; replaced: ReplacedField[] }[]> {
    return tx.rows(SINCE, [environmentId, version]);
  }
}
