import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How many text messages an environment has sent since its day began with one of them. */
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
