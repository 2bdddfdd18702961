import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The schedule of a job. One row per job, whatever the number of instances. */
@Entity('scheduled_jobs')
export class ScheduledJob {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  /** While an instance runs the job: the expiry of its lease. */
  @Column({ type: 'timestamptz' })
  dueAt!: Date;

  /** The current run, or the last one if it was not finished. */
  @Column({ type: 'uuid', nullable: true })
  claim!: string | null;

  /** When a run last finished. */
  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
