import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import { Environment } from '../environments/environment.entity.js';

/** A member's own credential for programs. It belongs to the console environment and acts with the member's roles. */
@Entity('personal_tokens')
@Index('personal_tokens_hash', ['tokenHash'], { unique: true })
@Index('personal_tokens_of_user', ['environmentId', 'userId'])
@Index('personal_tokens_expired', ['expiresAt'])
@ForeignKey(() => Environment, ['environmentId'], ['id'], { name: 'personal_tokens_environment', onDelete: 'CASCADE' })
export class PersonalToken extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'text' })
  checksum!: string;

  @Column({ type: 'text' })
  note!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** Minute precision. */
  @Column({ type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
