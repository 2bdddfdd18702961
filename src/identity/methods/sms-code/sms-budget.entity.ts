import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The number of text messages sent by an environment in its day, which begins with the first one. */
@Entity('sms_budgets')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'sms_budgets_environment', onDelete: 'CASCADE' })
export class SmsBudget {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'timestamptz' })
  dayStartedAt!: Date;

  @Column({ type: 'integer' })
  sentInDay!: number;
}
