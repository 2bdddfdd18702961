import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { TelegramAccount } from './telegram-login.js';

/** A login that the network signed: kept for the browser that began, then as used, until it is too old to be shown again. */
@Entity('telegram_logins')
@Check('telegram_logins_kept', '(browser_hash IS NULL) = (state_hash IS NULL)')
@Index('telegram_logins_state', ['environmentId', 'browserHash', 'stateHash'], { unique: true })
@Index('telegram_logins_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'telegram_logins_environment', onDelete: 'CASCADE' })
export class TelegramLogin {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  loginHash!: Buffer;

  /** SHA-256 of the key in the cookie of the browser that began; null for a login that a client showed itself. */
  @Column({ type: 'bytea', nullable: true })
  browserHash!: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  stateHash!: Buffer | null;

  @Column({ type: 'jsonb', nullable: true })
  account!: TelegramAccount | null;

  @Column({ type: 'timestamptz' })
  signedAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
