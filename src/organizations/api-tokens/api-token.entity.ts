import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Role, TokenScope } from '../../auth/index.js';
import { EnvironmentEntity } from '../../database/index.js';
import { Environment } from '../environments/environment.entity.js';

/** A server-side application credential. Only its SHA-256 is stored; the token itself is shown once. */
@Entity('api_tokens')
@Index('api_tokens_hash', ['tokenHash'], { unique: true })
@Index('api_tokens_expired', ['expiresAt'])
@Check('api_tokens_role', "role IN ('owner', 'admin', 'developer', 'viewer')")
@ForeignKey(() => Environment, ['environmentId'], ['id'], { name: 'api_tokens_environment', onDelete: 'CASCADE' })
export class ApiToken extends EnvironmentEntity {
  @Column({ type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'text' })
  checksum!: string;

  @Column({ type: 'text' })
  note!: string;

  @Column({ type: 'text', array: true })
  scopes!: TokenScope[];

  /** The console user who created it, or who created the token that created it. */
  @Column({ type: 'uuid' })
  createdBy!: string;

  /** Caps its role: the creator's role, lowered when theirs is, never raised. Null means their current role. */
  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Minute precision. */
  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
