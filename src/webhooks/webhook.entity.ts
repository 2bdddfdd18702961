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

  /** Whether messages about one user wait for each other. */
  @Column({ type: 'text', default: 'none' })
  ordering!: 'none' | 'user';

  /** The form of requests and events the webhook was made for. */
  @Column({ type: 'text' })
  version!: string;

  /** The signing secret under the key vault; empty once the webhook is deleted. */
  @Column({ type: 'bytea' })
  sealedSecret!: Buffer;

  /** Which key of the vault all that is sealed here is under; `mixed` when it is not one. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** The secret before the current one, which signs as well until {@link previousSecretUntil}. */
  @Column({ type: 'bytea', nullable: true })
  sealedPreviousSecret!: Buffer | null;

  @Column({ type: 'timestamptz', nullable: true })
  previousSecretUntil!: Date | null;

  /** The private half of a key pair, for a webhook that asks for `v1a` signatures. */
  @Column({ type: 'bytea', nullable: true })
  sealedSigningKey!: Buffer | null;

  @Column({ type: 'text', nullable: true })
  publicKey!: string | null;

  @Column({ type: 'bytea', nullable: true })
  sealedPreviousSigningKey!: Buffer | null;

  /** Header fields of the webhook's own with their values, as JSON. */
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

  /** Attempts in a row that got no answer within the deadline. */
  @Column({ type: 'integer', default: 0 })
  timeouts!: number;

  /** Set while too many of them are known. Nothing is sent before; from then on one message at a time finds out. */
  @Column({ type: 'timestamptz', nullable: true })
  pausedUntil!: Date | null;

  /** A deleted webhook is gone for every reader; its messages are removed in the background. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
