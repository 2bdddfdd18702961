import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../src/database/index.js';

@Entity('reminders')
@Index('reminders_sent', ['sentAt'])
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'reminders_environment', onDelete: 'CASCADE' })
export class Reminder extends EnvironmentEntity {
  @Column({ type: 'text' })
  text!: string;

  @Column({ type: 'timestamptz' })
  sendAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  sentAt!: Date | null;
}
