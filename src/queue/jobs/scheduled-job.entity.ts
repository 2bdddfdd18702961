import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a job of the deployment is due. One row for each, whatever the number of instances. */
@Entity('scheduled_jobs')
export class ScheduledJob {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  /** While an instance runs the job: when another one may take it over. */
  @Column({ type: 'timestamptz' })
  dueAt!: Date;

  /** The run that is under way, or the last one that was left unfinished. */
  @Column({ type: 'uuid', nullable: true })
  claim!: string | null;

  /** When a run was last finished. */
  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
