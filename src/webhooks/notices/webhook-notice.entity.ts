import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** An email to one owner about one webhook that the service has disabled; the row is deleted once it is sent. */
@Entity('webhook_notices')
@Index('webhook_notices_due', ['dueAt'])
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'webhook_notices_environment', onDelete: 'CASCADE' })
export class WebhookNoticeEntity extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  webhookId!: string;

  /** The owner, a user of the console environment. */
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'integer', default: 0 })
  tries!: number;

  /** When it may be sent: immediately, or once the current claim expires. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt!: Date;
}
