import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity } from '../../database/index.js';
import { Organization } from '../organization.entity.js';
import type { MfaDeviceType } from './mfa-settings.dto.js';

/** Whether an organization accepts a kind of second factor. Without a row it does not. */
@Entity('organization_mfa_settings')
@Index('organization_mfa_settings_once', ['organizationId', 'mfaDeviceType'], { unique: true })
@Check('organization_mfa_settings_type', "mfa_device_type IN ('totp', 'passkey', 'email')")
@ForeignKey(() => Organization, ['organizationId'], ['id'], {
  name: 'organization_mfa_settings_organization',
  onDelete: 'CASCADE',
})
export class MfaSettingRow extends OrganizationEntity {
  @Column({ type: 'text' })
  mfaDeviceType!: MfaDeviceType;

  /** Null while it is not accepted. */
  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;
}
