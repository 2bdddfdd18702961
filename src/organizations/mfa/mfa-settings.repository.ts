import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import {
  Database,
  OrganizationRepository,
  scopedRowsStatement,
  scopedStatement,
  type Transaction,
} from '../../database/index.js';
import { MFA_DEVICE_TYPES, type MfaDeviceType } from './mfa-settings.dto.js';
import { MfaSettingRow } from './mfa-setting.entity.js';

/** Ensures that the row exists for the next statement to lock. */
const ENSURE = scopedStatement(
  'mfaSettings.ensure',
  `INSERT INTO organization_mfa_settings (organization_id, id, mfa_device_type) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING`,
);
const LIST_ADMITTED = scopedRowsStatement(
  'mfaSettings.listAdmitted',
  `SELECT s.organization_id AS "organizationId", s.mfa_device_type AS "mfaDeviceType"
   FROM unnest($1::uuid[]) AS o (organization_id)
   JOIN organization_mfa_settings s ON s.organization_id = o.organization_id
   WHERE s.enabled_at IS NOT NULL ORDER BY s.organization_id, s.mfa_device_type`,
);

@Injectable()
export class MfaSettingsRepository extends OrganizationRepository<MfaSettingRow> {
  constructor(database: Database) {
    super(database, MfaSettingRow);
  }

  listAll(organizationId: OrganizationId): Promise<MfaSettingRow[]> {
    return this.list(organizationId, {}, { limit: MFA_DEVICE_TYPES.values.length });
  }

  listAdmitted(organizationIds: readonly string[]): Promise<Pick<MfaSettingRow, 'organizationId' | 'mfaDeviceType'>[]> {
    return this.database.rows(LIST_ADMITTED, [organizationIds]);
  }

  /** The row of a kind, created if necessary and locked until the transaction ends. */
  async take(organizationId: OrganizationId, mfaDeviceType: MfaDeviceType, tx: Transaction): Promise<MfaSettingRow> {
    await tx.execute(ENSURE, [organizationId, newId(), mfaDeviceType]);
    return (await this.lock(organizationId, { mfaDeviceType }, tx))!;
  }
}
