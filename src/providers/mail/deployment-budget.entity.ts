import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Usage of a deployment-wide budget since its window began. */
@Entity('deployment_budgets')
export class DeploymentBudget {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz' })
  startedAt!: Date;

  @Column({ type: 'integer' })
  taken!: number;
}
