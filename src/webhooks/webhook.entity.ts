import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../database/index.js';

/** Where an environment wants its events sent. */
@Entity('webhooks')
@Index('webhooks_overlapping', ['previousSecretUntil'], { where: 'previous_secret_until IS NOT NULL' })
@Index('webhooks_deleted', ['id'], { where: 'deleted_at IS NOT NULL' })
@Check('webhooks_ordering', "ordering IN ('none', 'user')")
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'webhooks_environment', onDelete: 'CASCADE' })
export class WebhookEntity extends EnvironmentEntity {
  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', array: true })
  events!: string[];

  @Column({ type: 'boolean' })
  isEnabled!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  /** Whether messages about the same user are delivered in order. */
  @Column({ type: 'text', default: 'none' })
  ordering!: 'none' | 'user';

  /** The payload version that the webhook was created for. */
  @Column({ type: 'text' })
  version!: string;

  /** The signing secret, sealed by the key vault; empty once the webhook is deleted. */
  @Column({ type: 'bytea' })
  sealedSecret!: Buffer;

  /** The vault key that all sealed values here are under; `mixed` if there is more than one. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** The previous secret, which also signs until {@link previousSecretUntil}. */
  @Column({ type: 'bytea', nullable: true })
  sealedPreviousSecret!: Buffer | null;

  @Column({ type: 'timestamptz', nullable: true })
  previousSecretUntil!: Date | null;

  /** The private key of a key pair, if the webhook asks for `v1a` signatures. */
  @Column({ type: 'bytea', nullable: true })
  sealedSigningKey!: Buffer | null;

  @Column({ type: 'text', nullable: true })
  publicKey!: string | null;

  @Column({ type: 'bytea', nullable: true })
  sealedPreviousSigningKey!: Buffer | null;

  /** The webhook's own header fields with their values, as JSON. */
  @Column({ type: 'bytea', nullable: true })
  sealedHeaders!: Buffer | null;

  /** Their names, which are not secret. */
  @Column({ type: 'text', array: true, default: '{}' })
  headerNames!: string[];

  /** The first failure since the last success. */
  @Column({ type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** Failed attempts since the last success. */
  @Column({ type: 'integer', default: 0 })
  failedAttempts!: number;

  /** Consecutive timeouts. */
  @Column({ type: 'integer', default: 0 })
  timeouts!: number;

  /** Set after too many timeouts. Nothing is sent until then; afterwards, one message at a time tests the receiver. */
  @Column({ type: 'timestamptz', nullable: true })
  pausedUntil!: Date | null;

  /** Readers no longer see a deleted webhook; its messages are removed in the background. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
