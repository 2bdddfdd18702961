import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A second-factor device. It does not count until verified; a user has at most one unverified device. */
@Entity('mfa_devices')
@Check('mfa_devices_type', "type IN ('totp', 'passkey')")
@Check(
  'mfa_devices_secret',
  "(type = 'totp') = (sealed_secret IS NOT NULL) AND (type = 'totp') = (master_key_id IS NOT NULL)",
)
@Index('mfa_devices_of_user', ['environmentId', 'userId', 'createdAt'])
@Index('mfa_devices_pending', ['environmentId', 'userId'], { unique: true, where: 'verified_at IS NULL' })
@Index('mfa_devices_master_key', ['masterKeyId'])
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'mfa_devices_user',
  onDelete: 'CASCADE',
})
export class MfaDeviceRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  type!: 'totp' | 'passkey';

  /** The secret of a TOTP device; a passkey has a row of `mfa_passkeys` instead. */
  @Column({ type: 'bytea', nullable: true })
  sealedSecret!: Buffer | null;

  /** The vault key it is sealed with. */
  @Column({ type: 'text', nullable: true })
  masterKeyId!: string | null;

  /** The time step of the last accepted code: none works twice (RFC 6238 §5.2). The driver returns 64 bits as text. */
  @Column({ type: 'bigint', default: 0 })
  lastStep!: string;

  /** Wrong codes since the last back-off. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** Wrong codes since the last correct one: the wait grows with them. */
  @Column({ type: 'integer', default: 0 })
  failuresInRow!: number;

  @Column({ type: 'timestamptz', nullable: true })
  blockedUntil!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  verifiedAt!: Date | null;

  @Column({ type: 'boolean', default: false })
  isDefault!: boolean;
}
