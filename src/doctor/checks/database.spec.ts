import { describe, expect, it } from '@jest/globals';
import { SharedSessionsError } from '../../database/index.js';
import { checkDatabase } from './database.js';

const refused = (): Promise<never> => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));

describe('the doctor looks at', () => {
  it('the database', async () => {
    const look = (version: number, pendingMigrations: string[] = [], encoding = 'UTF8', isReadOnly = false) =>
      checkDatabase(async () => ({ version, encoding, isReadOnly, pendingMigrations }));
    expect(await look(180001)).toEqual({ state: 'ok', meaning: 'PostgreSQL 18.1, schema up to date' });
    expect(await look(140009)).toMatchObject({ state: 'fail', meaning: 'PostgreSQL 14.9; 15 or newer is required' });
    expect(await look(180001, ['CreateDoors1'])).toMatchObject({ state: 'fail', fix: 'npm run migration:run' });
    expect(await look(180001, [], 'LATIN1')).toMatchObject({
      state: 'fail',
      meaning: 'PostgreSQL 18.1, encoded in LATIN1, which cannot hold every name',
    });
    expect(await look(180001, [], 'UTF8', true)).toMatchObject({
      state: 'fail',
      meaning: 'PostgreSQL 18.1 takes no writes',
      fix: 'let DATABASE_URL name the primary',
    });
    const full = Object.assign(new Error('too many clients'), { code: '53300', severity: 'FATAL' });
    expect(
      await checkDatabase(
        () => Promise.reject(full),
        () => 'Raise its max_connections.',
      ),
    ).toMatchObject({
      state: 'fail',
      meaning: 'refuses the connection (53300)',
      fix: 'Raise its max_connections',
    });
    expect(await checkDatabase(async () => null)).toMatchObject({ state: 'warn' });
    expect(await checkDatabase(refused)).toMatchObject({ state: 'fail', meaning: 'does not respond (ECONNREFUSED)' });
    expect(await checkDatabase(() => Promise.reject(new SharedSessionsError()))).toMatchObject({
      state: 'fail',
      meaning: expect.stringContaining('a pooler that gives each transaction another session'),
      fix: expect.stringContaining('session mode'),
    });
  });
});
