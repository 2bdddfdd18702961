import type { TestApp } from './app.js';
import { rowsOf } from './rows.js';

/** A second record of the only wallet of a user, as earlier versions stored one that a request listed twice. */
export async function addSecondRecord(test: TestApp, environmentId: string, userId: string): Promise<void> {
  await rowsOf(
    test,
    `WITH w AS (
       INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider)
       SELECT environment_id, gen_random_uuid(), user_id, kind, name, 'ETH', address, provider FROM wallets
       WHERE environment_id = $1 AND user_id = $2 RETURNING *)
     INSERT INTO credentials
       (environment_id, id, user_id, format, address, chain, public_identifier, wallet_id, sign_in_enabled)
     SELECT w.environment_id, gen_random_uuid(), w.user_id, c.format, w.address, w.chain, c.public_identifier, w.id,
       c.sign_in_enabled
     FROM w JOIN credentials c ON c.environment_id = w.environment_id AND c.user_id = w.user_id`,
    [environmentId, userId],
  );
}
