import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../../database/index.js';

/** A one-time code on its way to a phone. The code itself is not here. */
@Entity('sms_verifications')
@Index('sms_verifications_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'sms_verifications_environment',
  onDelete: 'CASCADE',
})
export class SmsVerification extends EnvironmentEntity {
  /** E.164. */
  @Column({ type: 'text' })
  phoneNumber!: string;

  /** The row of `code_destinations` that its failures count against. */
  @Column({ type: 'bytea' })
  destinationHash!: Buffer;

  @Column({ type: 'bytea' })
  codeHmac!: Buffer;

  /** Tries of the current code, counted before each comparison. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
