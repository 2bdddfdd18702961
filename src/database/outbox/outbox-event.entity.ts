import { Column, Entity, Index } from 'typeorm';
import { EnvironmentEntity } from '../base.entities.js';
import type { EventActor } from './event-actor.js';

/** Something that happened. Written in the transaction of the change, so neither exists without the other. */
@Entity('events')
@Index('events_undispatched', ['id'], { where: 'dispatched_at IS NULL' })
@Index('events_of_name', ['environmentId', 'name', 'id'])
export class OutboxEvent extends EnvironmentEntity {
  @Column({ type: 'text' })
  name!: string;

  /** The record the event is about. */
  @Column({ type: 'uuid', nullable: true })
  resourceId!: string | null;

  /** The end user who caused it; null when an API token, a member or the service did. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  /** The user it is about, or else the one who caused it; of events of an older version known by `userId` alone. */
  @Column({ type: 'uuid', nullable: true })
  subjectUserId!: string | null;

  @Column({ type: 'text', nullable: true })
  externalUserId!: string | null;

  @Column({ type: 'jsonb' })
  data!: Record<string, unknown>;

  /** The member, API token or service that caused it; null when an end user did. */
  @Column({ type: 'jsonb', nullable: true })
  actor!: EventActor | null;

  /** The request that caused it, as answered in `X-Request-Id`; null when the service itself did. */
  @Column({ type: 'text', nullable: true })
  requestId!: string | null;

  /** W3C Trace Context of that request, where requests are traced. */
  @Column({ type: 'text', nullable: true })
  traceParent!: string | null;

  /** When it was expanded into messages for webhooks. */
  @Column({ type: 'timestamptz', nullable: true })
  dispatchedAt!: Date | null;
}
