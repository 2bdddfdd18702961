import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../database/index.js';

/** Where an environment wants its events sent. */
@Entity('webhooks')
@Index('webhooks_deleted', ['id'], { where: 'deleted_at IS NOT NULL' })
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

  /** The form of requests and events the webhook was made for. */
  @Column({ type: 'text' })
  version!: string;

  /** The signing secret under the key vault; empty once the webhook is deleted. */
  @Column({ type: 'bytea' })
  sealedSecret!: Buffer;

  /** Which key of the vault the secret is under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** The first failure since the last success. */
  @Column({ type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** Failed attempts since the last success. */
  @Column({ type: 'integer', default: 0 })
  failedAttempts!: number;

  /** A deleted webhook is gone for every reader; its messages are removed in the background. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
