import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import { WebhookEntity } from '../webhook.entity.js';
import type { ReplaySelection, ReplayState } from './webhook-replay.dto.js';

/** A request to send many messages of a webhook again. Holds all of its progress, so any instance can continue it. */
@Entity('webhook_replays')
@Index('webhook_replays_under_way', ['environmentId', 'webhookId'], {
  unique: true,
  where: "state IN ('counting', 'running')",
})
@Index('webhook_replays_of_webhook', ['environmentId', 'webhookId', 'id'])
@Check('webhook_replays_selection', "selection IN ('all', 'failed', 'missing')")
@Check('webhook_replays_state', "state IN ('counting', 'running', 'completed', 'canceled', 'failed')")
@ForeignKey(() => WebhookEntity, ['environmentId', 'webhookId'], ['environmentId', 'id'], {
  name: 'webhook_replays_webhook',
  onDelete: 'CASCADE',
})
export class WebhookReplayEntity extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  webhookId!: string;

  @Column({ type: 'text' })
  selection!: ReplaySelection;

  @Column({ type: 'timestamptz' })
  since!: Date;

  /** Never after the request: later events are sent anyway. */
  @Column({ type: 'timestamptz' })
  until!: Date;

  /** The requested end, used to recognise equal requests. */
  @Column({ type: 'timestamptz', nullable: true })
  askedUntil!: Date | null;

  @Column({ type: 'text', default: 'counting' })
  state!: ReplayState;

  /** The walk covers ids above this one, of messages or, for missing ones, of events … */
  @Column({ type: 'uuid' })
  fromId!: string;

  /** … and below this one. */
  @Column({ type: 'uuid' })
  endId!: string;

  /** The last id visited. */
  @Column({ type: 'uuid' })
  position!: string;

  @Column({ type: 'integer', default: 0 })
  total!: number;

  @Column({ type: 'integer', default: 0 })
  done!: number;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
