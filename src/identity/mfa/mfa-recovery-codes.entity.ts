import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A user's unused recovery codes, as SHA-256 hashes. The codes themselves are not stored. */
@Entity('mfa_recovery_codes')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'mfa_recovery_codes_user',
  onDelete: 'CASCADE',
})
export class MfaRecoveryCodes {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'bytea', array: true })
  codeHashes!: Buffer[];

  /** As for devices. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  @Column({ type: 'integer', default: 0 })
  failuresInRow!: number;

  @Column({ type: 'timestamptz', nullable: true })
  blockedUntil!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
