import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../database/index.js';

/** The response to a call with an `Idempotency-Key`, committed together with the call's changes. */
@Entity('idempotency_keys')
@Index('idempotency_keys_expired', ['expiresAt'])
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'idempotency_keys_environment', onDelete: 'CASCADE' })
export class IdempotencyKeyRow extends EnvironmentEntity {
  @Column({ type: 'bytea' })
  requestHash!: Buffer;

  @Column({ type: 'smallint' })
  status!: number;

  /** Sealed, since some responses contain a secret that is shown only once. */
  @Column({ type: 'bytea' })
  sealedBody!: Buffer;

  @Column({ type: 'text' })
  masterKeyId!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
