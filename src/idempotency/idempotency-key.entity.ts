import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../database/index.js';

/** The answer to a call with an `Idempotency-Key`, committed together with what the call did. */
@Entity('idempotency_keys')
@Index('idempotency_keys_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'idempotency_keys_environment', onDelete: 'CASCADE' })
export class IdempotencyKeyRow extends EnvironmentEntity {
  @Column({ type: 'bytea' })
  requestHash!: Buffer;

  @Column({ type: 'smallint' })
  status!: number;

  /** Sealed, since some answers hold the only appearance of a secret. */
  @Column({ type: 'bytea' })
  sealedBody!: Buffer;

  @Column({ type: 'text' })
  masterKeyId!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
