import type { Pool } from 'pg';

/** Encodings that hold every text; `SQL_ASCII`, which `initdb` chooses where there is no locale, keeps bytes as they come. */
const HOLD_EVERY_TEXT: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

export const holdsEveryText = (encoding: string): boolean => HOLD_EVERY_TEXT.has(encoding);

/** DATABASE_URL names a database whose encoding lacks characters. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';

  constructor(encoding: string) {
    super(
      `The database is encoded in ${encoding}, which cannot hold every name: create one with ENCODING 'UTF8' (TEMPLATE template0), and let DATABASE_URL name it.`,
    );
  }
}

/**
 * Ends a first start that would seem to succeed: calls would fail only when somebody has a name with other characters.
 *
 * @throws EncodingError
 */
export async function refuseLackingEncodings(pool: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query<{ encoding: string }>("SELECT current_setting('server_encoding') AS encoding");
  const { encoding } = rows[0]!;
  if (!holdsEveryText(encoding)) throw new EncodingError(encoding);
}
