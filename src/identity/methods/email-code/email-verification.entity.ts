import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../../database/index.js';

/** A one-time code on its way to an address. The code itself is not here. */
@Entity('email_verifications')
@Index('email_verifications_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'email_verifications_environment',
  onDelete: 'CASCADE',
})
export class EmailVerification extends EnvironmentEntity {
  /** In normal form. */
  @Column({ type: 'text' })
  email!: string;

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
