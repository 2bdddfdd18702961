import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import { WebhookEntity } from '../webhook.entity.js';

export type MessageStatus = 'pending' | 'sending' | 'delivered' | 'failed';

/** One event for one webhook, with its delivery state. */
@Entity('webhook_messages')
@Index('webhook_messages_once', ['environmentId', 'eventId', 'webhookId'], { unique: true })
@Index('webhook_messages_of_webhook', ['environmentId', 'webhookId', 'id'])
@Index('webhook_messages_due', ['webhookId', 'nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index('webhook_messages_ordered', ['webhookId', 'orderedBy', 'eventId'], {
  where: 'ordered_by IS NOT NULL AND next_attempt_at IS NOT NULL',
})
@Check('webhook_messages_status', "status IN ('pending', 'sending', 'delivered', 'failed')")
@ForeignKey(() => WebhookEntity, ['environmentId', 'webhookId'], ['environmentId', 'id'], {
  name: 'webhook_messages_webhook',
  onDelete: 'CASCADE',
})
export class WebhookMessageEntity extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  webhookId!: string;

  @Column({ type: 'uuid' })
  eventId!: string;

  @Column({ type: 'text', default: 'pending' })
  status!: MessageStatus;

  /** Recorded attempts, without gaps. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** The last manual redelivery request; attempts since then say `redelivery`. */
  @Column({ type: 'timestamptz', nullable: true })
  redeliveredAt!: Date | null;

  /** When it may be claimed: its due time or, in flight, the end of the lease. Null if nothing is left to do. */
  @Column({ type: 'timestamptz', nullable: true })
  nextAttemptAt!: Date | null;

  /** The user it is about, if its webhook wants messages in order: it waits for unfinished earlier ones. */
  @Column({ type: 'uuid', nullable: true })
  orderedBy!: string | null;

  /** The lease. A result is recorded only with the token the message was claimed with. */
  @Column({ type: 'uuid', nullable: true })
  leaseToken!: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
