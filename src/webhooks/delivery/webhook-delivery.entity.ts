import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import { WebhookMessageEntity } from './webhook-message.entity.js';

/** One attempt to deliver a message, and its outcome. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_once', ['environmentId', 'messageId', 'attempt'], { unique: true })
@ForeignKey(() => WebhookMessageEntity, ['environmentId', 'messageId'], ['environmentId', 'id'], {
  name: 'webhook_deliveries_message',
  onDelete: 'CASCADE',
})
export class WebhookDeliveryEntity extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  messageId!: string;

  /** Counts from 1. */
  @Column({ type: 'integer' })
  attempt!: number;

  @Column({ type: 'text' })
  status!: 'delivered' | 'failed';

  /** `{ url, headers, body }`; stored verbatim, since no query looks inside. */
  @Column({ type: 'json' })
  request!: Record<string, unknown>;

  /** `{ status?, headers?, body?, error?, durationMs }`. */
  @Column({ type: 'json' })
  response!: Record<string, unknown>;

  @Column({ type: 'timestamptz' })
  deliveredAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
