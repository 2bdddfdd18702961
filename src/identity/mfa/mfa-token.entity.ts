import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A second factor given for an upcoming action, by one user in one session. The token itself is not stored. */
@Entity('mfa_tokens')
@Index('mfa_tokens_of_user', ['environmentId', 'userId'])
@Index('mfa_tokens_expired', ['expiresAt'])
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'mfa_tokens_user',
  onDelete: 'CASCADE',
})
export class MfaToken {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** SHA-256 of the token. */
  @PrimaryColumn({ type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'boolean' })
  singleUse!: boolean;

  /** The first action it was used for: it is valid for no other. Null until then. */
  @Column({ type: 'text', nullable: true })
  action!: string | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
