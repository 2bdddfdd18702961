import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import { Database, OrganizationRepository, scopedStatement, type Transaction } from '../../database/index.js';
import { MFA_DEVICE_TYPES, type MfaDeviceType } from './mfa-settings.dto.js';
import { MfaSettingRow } from './mfa-setting.entity.js';

/** Makes the row that the next statement locks. */
const ENSURE = scopedStatement(
  'mfaSettings.ensure',
  `INSERT INTO organization_mfa_settings (organization_id, id, mfa_device_type) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING`,
);

@Injectable()
export class MfaSettingsRepository extends OrganizationRepository<MfaSettingRow> {
  constructor(database: Database) {
    super(database, MfaSettingRow);
  }

  listAll(organizationId: OrganizationId): Promise<MfaSettingRow[]> {
    return this.list(organizationId, {}, { limit: MFA_DEVICE_TYPES.values.length });
  }

  /** The row of a kind, held until the transaction ends; there is one from now on. */
  async take(organizationId: OrganizationId, mfaDeviceType: MfaDeviceType, tx: Transaction): Promise<MfaSettingRow> {
    await tx.execute(ENSURE, [organizationId, newId(), mfaDeviceType]);
    return (await this.lock(organizationId, { mfaDeviceType }, tx))!;
  }
}
