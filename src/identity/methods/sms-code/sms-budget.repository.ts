import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../../database/index.js';

/** One guarded upsert: concurrent callers beyond the budget match nothing. */
const TAKE = scopedStatement(
  'smsBudgets.take',
  `INSERT INTO sms_budgets AS b (environment_id, day_started_at, sent_in_day) VALUES ($1, now(), 1)
   ON CONFLICT (environment_id) DO UPDATE SET
     day_started_at = CASE WHEN b.day_started_at <= now() - interval '1 day' THEN now() ELSE b.day_started_at END,
     sent_in_day = CASE WHEN b.day_started_at <= now() - interval '1 day' THEN 1 ELSE b.sent_in_day + 1 END
   WHERE b.sent_in_day < $2 OR b.day_started_at <= now() - interval '1 day'
   RETURNING 1`,
);
const WAIT = scopedStatement(
  'smsBudgets.readWait',
  `SELECT (extract(epoch FROM day_started_at - now()) + 86400)::float AS wait FROM sms_budgets
   WHERE environment_id = $1`,
);

/** If a day has ended meanwhile, the next one has room for one more. */
const GIVE_BACK = scopedStatement(
  'smsBudgets.release',
  'UPDATE sms_budgets SET sent_in_day = sent_in_day - 1 WHERE environment_id = $1 AND sent_in_day > 0',
);

@Injectable()
export class SmsBudgets {
  constructor(private readonly database: Database) {}

  /** Takes one message from the day's budget. @returns false if none is left */
  async take(environmentId: EnvironmentId, perDay: number): Promise<boolean> {
    return (await this.database.rows(TAKE, [environmentId, perDay])).length === 1;
  }

  /** Returns the message that was taken for one that certainly was not sent. */
  async giveBack(environmentId: EnvironmentId): Promise<void> {
    await this.database.execute(GIVE_BACK, [environmentId]);
  }

  /** Seconds until the next day's budget. */
  async wait(environmentId: EnvironmentId): Promise<number> {
    const [row] = await this.database.rows<{ wait: number }>(WAIT, [environmentId]);
    return Math.max(1, Math.ceil(row?.wait ?? 1));
  }
}
