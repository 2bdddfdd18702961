import { describe, expect, it } from '@jest/globals';
import { generatedStatement, onlyReads } from './statement.js';

describe('a statement that may be sent again', () => {
  const reads = (text: string): boolean => onlyReads(generatedStatement('test', text));

  it.each([
    'SELECT id FROM users WHERE environment_id = $1',
    'WITH found AS (SELECT updated_at, deleted_at FROM users) SELECT * FROM found',
    'SELECT count(*) FILTER (WHERE is_updated) FROM t',
  ])('only reads: %s', (text) => expect(reads(text)).toBe(true));

  it.each([
    'INSERT INTO users (id) VALUES ($1)',
    'WITH tried AS (UPDATE codes SET attempts = attempts + 1 RETURNING id) SELECT id FROM tried',
    'with gone as (delete from t returning id) select id from gone',
    'SELECT id FROM users WHERE id = $1 FOR UPDATE',
    'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE',
    'SELECT id FROM users FOR KEY SHARE OF users',
    "SELECT nextval('numbers')",
    'SELECT pg_try_advisory_xact_lock(1)',
    "SELECT set_config('a', 'b', true)",
  ])('does more: %s', (text) => expect(reads(text)).toBe(false));
});
