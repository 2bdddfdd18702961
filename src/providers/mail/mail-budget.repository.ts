import { Injectable } from '@nestjs/common';
import { Database, deploymentStatement } from '../../database/index.js';

const WINDOW_SECONDS = 3_600;

/** A single statement, which locks the row, so that concurrent calls are all counted. */
const TAKE = deploymentStatement(
  'mailBudget.take',
  `WITH taken AS (
     INSERT INTO deployment_budgets AS b (name, started_at, taken) VALUES ('mails', now(), 1)
     ON CONFLICT (name) DO UPDATE SET
       started_at = CASE WHEN b.started_at <= now() - make_interval(secs => $2) THEN now() ELSE b.started_at END,
       taken = CASE WHEN b.started_at <= now() - make_interval(secs => $2) THEN 1 ELSE b.taken + 1 END
     WHERE b.taken < $1 OR b.started_at <= now() - make_interval(secs => $2)
     RETURNING taken
   )
   SELECT (SELECT count(*)::int FROM taken) AS granted, ceil(extract(epoch FROM
     (SELECT max(started_at) FROM deployment_budgets WHERE name = 'mails') + make_interval(secs => $2) - now()))::int
     AS "waitSeconds"`,
);

/** If an hour has ended meanwhile, the next one has room for one more: too little to be worth a note of each hour. */
const GIVE_BACK = deploymentStatement(
  'mailBudget.release',
  `UPDATE deployment_budgets SET taken = taken - 1 WHERE name = 'mails' AND taken > 0`,
);

/** The hourly email limit of all instances together, counted in the database and so independent of Redis. */
@Injectable()
export class MailBudget {
  constructor(private readonly database: Database) {}

  /** Takes one email from the budget. @returns the seconds to wait if none is left, else null */
  async take(perHour: number): Promise<number | null> {
    const [row] = await this.database.rows<{ granted: number; waitSeconds: number | null }>(TAKE, [
      perHour,
      WINDOW_SECONDS,
    ]);
    if (row && row.granted > 0) return null;
    // The row as the statement found it: if its hour is over, others have used up the next one meanwhile.
    const waitSeconds = row?.waitSeconds ?? 0;
    return waitSeconds > 0 ? waitSeconds : WINDOW_SECONDS;
  }

  /** Returns the email that was taken for a message that certainly was not sent. */
  async giveBack(): Promise<void> {
    await this.database.execute(GIVE_BACK, []);
  }
}
