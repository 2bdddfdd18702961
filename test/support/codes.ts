import type { TestApp } from './app.js';
import type { Answer } from './client.js';
import { rowsOf } from './rows.js';
import type { World } from './world.js';

export interface Refusal {
  error: string;
  code: string;
  requestId: string;
}

/** A code that is not the given one. */
export const wrongCode = (code: string, step = 1): string => String((Number(code) + step) % 1_000_000).padStart(6, '0');

/** Sends a code back, whatever the answer. */
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

/** Every header of an answer but those that are different in any two answers. */
export const steadyHeaders = ({ headers }: Answer<unknown>): [string, string][] =>
  [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));

/**
 * For tests of what comes after codes: nobody waits for tries in this environment. Tries count before anybody knows that
 * they are right, so of more than five at the same moment those behind would be refused.
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
