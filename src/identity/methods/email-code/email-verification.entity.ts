import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { CodeVerification } from '../../codes/code-verification.js';

/** A pending one-time code by email. */
@Entity('email_verifications')
@Index('email_verifications_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'email_verifications_environment',
  onDelete: 'CASCADE',
})
export class EmailVerification extends CodeVerification {
  /** In normal form. */
  @Column({ type: 'text' })
  email!: string;
}
