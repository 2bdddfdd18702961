import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A device that gives second factors. Until it has proven itself it does not count; a user has one such at a time. */
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

  /** Of a device that shows codes; a passkey has a row of `mfa_passkeys` instead. */
  @Column({ type: 'bytea', nullable: true })
  sealedSecret!: Buffer | null;

  /** The key of the vault it is under. */
  @Column({ type: 'text', nullable: true })
  masterKeyId!: string | null;

  /** The time step of the last code taken: none works twice (RFC 6238 §5.2). Text, as the driver gives 64 bits. */
  @Column({ type: 'bigint', default: 0 })
  lastStep!: string;

  /** Wrong codes since the last back-off. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** Wrong codes since the last right one: with them the wait grows. */
  @Column({ type: 'integer', default: 0 })
  failuresInRow!: number;

  @Column({ type: 'timestamptz', nullable: true })
  blockedUntil!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  verifiedAt!: Date | null;

  @Column({ type: 'boolean', default: false })
  isDefault!: boolean;
}
