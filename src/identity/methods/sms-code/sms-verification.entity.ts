import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { CodeVerification } from '../../codes/code-verification.js';

/** A pending one-time code by text message. */
@Entity('sms_verifications')
@Index('sms_verifications_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'sms_verifications_environment',
  onDelete: 'CASCADE',
})
export class SmsVerification extends CodeVerification {
  /** E.164. */
  @Column({ type: 'text' })
  phoneNumber!: string;
}
