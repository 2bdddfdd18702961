import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Role, TokenScope } from '../../auth/index.js';
import { EnvironmentEntity } from '../../database/index.js';
import { Environment } from '../environments/environment.entity.js';

/** The credential of an application's server. Only its SHA-256 is kept: the token itself is shown once. */
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

  /** The user of the console environment who made it, or who made the token that made it. */
  @Column({ type: 'uuid' })
  createdBy!: string;

  /** How far it reaches: the role of whoever made it, lowered with theirs and never raised. Null is theirs as it is now. */
  @Column({ type: 'text', nullable: true })
  role!: Role | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Exact to the minute. */
  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
