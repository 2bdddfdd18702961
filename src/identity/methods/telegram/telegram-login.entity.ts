import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { TelegramAccount } from './telegram-login.js';

/** A login signed by the network: kept for the browser that began, then as used, until it is too old to be replayed. */
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

  /** SHA-256 of the cookie key of the browser that began; null for a login presented by a client directly. */
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
