import type { TestApp } from './app.js';
import type { Answer } from './client.js';
import { rowsOf } from './rows.js';
import type { World } from './world.js';

export interface Refusal {
  error: string;
  code: string;
  requestId: string;
}

/** A code other than the given one. */
export const wrongCode = (code: string, step = 1): string => String((Number(code) + step) % 1_000_000).padStart(6, '0');

/** Tries a code, whatever the response. */
export const trySignIn = (
  world: World,
  verificationUUID: string,
  verificationToken: string,
  environmentId?: string,
): Promise<Answer<Refusal>> =>
  world.anonymous.post<Refusal>(world.sdk('/emailVerifications/signin', environmentId), {
    verificationUUID,
    verificationToken,
  });

/** All response headers except those that differ between any two responses. */
export const steadyHeaders = ({ headers }: Answer<unknown>): [string, string][] =>
  [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));

/**
 * For tests of what follows a code: disables rate limiting of attempts in this environment. Attempts are counted before
 * they are compared, so of more than five concurrent ones the rest would be refused.
 */
export async function withoutWaits<T>(test: TestApp, environmentId: string, work: () => Promise<T>): Promise<T> {
  const tables = ['code_networks', 'code_destinations'];
  await rowsOf(
    test,
    `CREATE OR REPLACE FUNCTION nobody_waits() RETURNS trigger LANGUAGE plpgsql
     AS 'BEGIN NEW.waits_until := NULL; RETURN NEW; END'`,
  );
  for (const table of tables)
    await rowsOf(
      test,
      `CREATE TRIGGER nobody_waits BEFORE UPDATE ON ${table} FOR EACH ROW
       WHEN (NEW.environment_id = '${environmentId}') EXECUTE FUNCTION nobody_waits()`,
    );
  try {
    return await work();
  } finally {
    for (const table of tables) await rowsOf(test, `DROP TRIGGER nobody_waits ON ${table}`);
  }
}
