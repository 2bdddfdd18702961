import { Injectable } from '@nestjs/common';
import { Database, deploymentStatement } from '../../database/index.js';
import type { Schedule } from './schedule.js';

/** The next run of a job `j`, by the database clock: `j.every_ms` from now, or the next `j.daily_at` in UTC. */
const NEXT = `CASE WHEN j.every_ms IS NOT NULL THEN now() + j.every_ms * interval '1 millisecond'
    ELSE (date_trunc('day', timezone('UTC', now())) + j.daily_at
      + CASE WHEN timezone('UTC', now())::time < j.daily_at::time THEN interval '0' ELSE interval '1 day' END)
      AT TIME ZONE 'UTC' END`;

/** A shorter schedule takes effect at once, and an overdue one stays due, so that a missed run is made up for. */
const ENTER = deploymentStatement(
  'scheduledJobs.enter',
  `INSERT INTO scheduled_jobs AS s (name, due_at)
   SELECT j.name, ${NEXT} FROM unnest($1::text[], $2::float8[], $3::interval[]) AS j (name, every_ms, daily_at)
   ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at WHERE s.due_at > excluded.due_at`,
);

/** Only one instance gets a job: the others skip its locked row, or find that it is no longer due. */
const CLAIM = deploymentStatement(
  'scheduledJobs.claim',
  `WITH due AS (
     SELECT s.name, j.lease_ms FROM unnest($1::text[], $2::float8[]) AS j (name, lease_ms)
     JOIN scheduled_jobs s ON s.name = j.name WHERE s.due_at <= now() FOR NO KEY UPDATE OF s SKIP LOCKED)
   UPDATE scheduled_jobs s SET due_at = now() + due.lease_ms * interval '1 millisecond', claim = $3
   FROM due WHERE s.name = due.name RETURNING s.name`,
);

const RENEW = deploymentStatement(
  'scheduledJobs.renew',
  `UPDATE scheduled_jobs SET due_at = now() + $3 * interval '1 millisecond' WHERE name = $1 AND claim = $2`,
);

const FINISH = deploymentStatement(
  'scheduledJobs.finish',
  `UPDATE scheduled_jobs s SET due_at = ${NEXT}, claim = NULL, finished_at = now()
   FROM unnest(ARRAY[$1::text], ARRAY[$3::float8], ARRAY[$4::interval]) AS j (name, every_ms, daily_at)
   WHERE s.name = j.name AND s.claim = $2`,
);

export interface ScheduledName {
  readonly name: string;
  readonly schedule: Schedule;
}

const everyOf = (schedule: Schedule): number | null => ('everyMs' in schedule ? schedule.everyMs : null);
const dailyOf = (schedule: Schedule): string | null => ('dailyAt' in schedule ? schedule.dailyAt : null);

/** Schedules and leases of the deployment's jobs. */
@Injectable()
export class ScheduledJobsRepository {
  constructor(private readonly database: Database) {}

  async enter(jobs: readonly ScheduledName[]): Promise<void> {
    await this.database.execute(ENTER, [
      jobs.map(({ name }) => name),
      jobs.map(({ schedule }) => everyOf(schedule)),
      jobs.map(({ schedule }) => dailyOf(schedule)),
    ]);
  }

  /** Claims due jobs that nobody is running, and returns their names. They are due again once their lease expires. */
  async claim(jobs: readonly { name: string; leaseMs: number }[], claim: string): Promise<string[]> {
    const values = [jobs.map(({ name }) => name), jobs.map(({ leaseMs }) => leaseMs), claim];
    return (await this.database.rows<{ name: string }>(CLAIM, values)).map(({ name }) => name);
  }

  async renew(name: string, claim: string, leaseMs: number): Promise<void> {
    await this.database.execute(RENEW, [name, claim, leaseMs]);
  }

  /** A no-op if another instance has taken over the job. */
  async finish({ name, schedule }: ScheduledName, claim: string): Promise<void> {
    await this.database.execute(FINISH, [name, claim, everyOf(schedule), dailyOf(schedule)]);
  }
}
