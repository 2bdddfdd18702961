import { Column, Entity, Index } from 'typeorm';
import { EnvironmentEntity } from '../base.entities.js';
import type { EventActor } from './event-actor.js';

/** An event. Written in the transaction of the change, so neither exists without the other. */
@Entity('events')
@Index('events_undispatched', ['id'], { where: 'dispatched_at IS NULL' })
@Index('events_of_name', ['environmentId', 'name', 'id'])
export class OutboxEvent extends EnvironmentEntity {
  @Column({ type: 'text' })
  name!: string;

  /** The record the event is about. */
  @Column({ type: 'uuid', nullable: true })
  resourceId!: string | null;

  /** The end user who caused it; null if it was an API token, a member or the service. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;

  /** The user it is about, or else the user who caused it; events of an older version have only `userId`. */
  @Column({ type: 'uuid', nullable: true })
  subjectUserId!: string | null;

  @Column({ type: 'text', nullable: true })
  externalUserId!: string | null;

  @Column({ type: 'jsonb' })
  data!: Record<string, unknown>;

  /** The member, API token or service that caused it; null if it was an end user. */
  @Column({ type: 'jsonb', nullable: true })
  actor!: EventActor | null;

  /** The request that caused it, as returned in `X-Request-Id`; null if it was the service itself. */
  @Column({ type: 'text', nullable: true })
  requestId!: string | null;

  /** The W3C Trace Context of that request, if it was traced. */
  @Column({ type: 'text', nullable: true })
  traceParent!: string | null;

  /** When it was expanded into messages for webhooks. */
  @Column({ type: 'timestamptz', nullable: true })
  dispatchedAt!: Date | null;
}
