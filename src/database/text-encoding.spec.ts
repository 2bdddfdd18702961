import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { EncodingError, refuseLackingEncodings } from './text-encoding.js';

const encoded = (encoding: string) =>
  ({ query: () => Promise.resolve({ rows: [{ encoding }] }) }) as unknown as Pick<Pool, 'query'>;

describe('the encoding of the database', () => {
  it.each(['UTF8', 'SQL_ASCII'])('may be %s', async (encoding) => {
    await expect(refuseLackingEncodings(encoded(encoding))).resolves.toBeUndefined();
  });

  it.each(['LATIN1', 'EUC_JP'])('is refused if it is %s, with what to do', async (encoding) => {
    const refusal = refuseLackingEncodings(encoded(encoding));
    await expect(refusal).rejects.toThrow(EncodingError);
    await expect(refusal).rejects.toThrow(new RegExp(`encoded in ${encoding}.*ENCODING 'UTF8'.*DATABASE_URL`));
  });
});
