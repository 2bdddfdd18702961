import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { DelegationAlgorithm, DelegationKeyType } from './delegation-key.dto.js';

/** A key that shares are sealed to. Its state follows from the two times, so no job has to switch it. */
@Entity('delegation_keys')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'delegation_keys_environment', onDelete: 'CASCADE' })
@Index('delegation_keys_once', ['environmentId', 'kid'], { unique: true })
@Check('delegation_keys_alg', "alg IN ('RSA-OAEP-256', 'HYBRID-RSA-AES-256')")
@Check('delegation_keys_type', "type IN ('platform', 'external')")
export class DelegationKeyRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  kid!: string;

  @Column({ type: 'text' })
  alg!: DelegationAlgorithm;

  @Column({ type: 'text' })
  type!: DelegationKeyType;

  /** Canonical PEM. */
  @Column({ type: 'text' })
  publicKey!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  activeAt!: Date;

  /** When another key takes over or took over; null while none is scheduled. */
  @Column({ type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
