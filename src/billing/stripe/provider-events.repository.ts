import { Injectable } from '@nestjs/common';
import { Database, type Transaction, deploymentStatement } from '../../database/index.js';

const FIND = deploymentStatement('providerEvents.find', 'SELECT 1 FROM billing_provider_events WHERE id = $1');
/** Stripe retries a message for three days; rows older than thirty are deleted, a few with each new message. */
const REMEMBER = deploymentStatement(
  'providerEvents.remember',
  `WITH old AS (
     DELETE FROM billing_provider_events WHERE id IN (
       SELECT id FROM billing_provider_events WHERE received_at < now() - interval '30 days'
       ORDER BY received_at LIMIT 100 FOR UPDATE SKIP LOCKED))
   INSERT INTO billing_provider_events (id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);

@Injectable()
export class ProviderEventsRepository {
  constructor(private readonly database: Database) {}

  async isKnown(id: string): Promise<boolean> {
    return (await this.database.rows(FIND, [id])).length === 1;
  }

  async remember(id: string, type: string, tx: Transaction): Promise<void> {
    await tx.execute(REMEMBER, [id, type]);
  }
}
