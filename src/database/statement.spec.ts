import { describe, expect, it } from '@jest/globals';
import { dueRowsStatement, generatedStatement, onlyReads } from './statement.js';

describe('a statement that may be sent again', () => {
  const reads = (text: string): boolean => onlyReads(generatedStatement('test', text, 'tenant'));

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

describe('a statement that takes what is due', () => {
  const claim = (some: string, answered: string): string =>
    `WITH due AS MATERIALIZED (SELECT environment_id, id FROM t WHERE due_at <= now() ${some})
     UPDATE t SET due_at = now() FROM due WHERE t.environment_id = due.environment_id AND t.id = due.id RETURNING ${answered}`;

  it('takes some rows that nobody holds, each with its tenant', () => {
    const text = claim('LIMIT $1 FOR UPDATE SKIP LOCKED', 't.environment_id AS "environmentId", t.id');
    expect(dueRowsStatement('planted.takeSome', text).name).toBe('planted.takeSome');
  });

  it.each([
    ['planted.takeAll', claim('FOR UPDATE SKIP LOCKED', 't.environment_id AS "environmentId"')],
    ['planted.waitForOthers', claim('LIMIT 10 FOR UPDATE', 't.environment_id AS "environmentId"')],
    ['planted.nameNobody', claim('LIMIT 10 FOR UPDATE SKIP LOCKED', 't.id')],
    [
      'planted.takeWithinJoin',
      `UPDATE t SET due_at = now() FROM (SELECT id FROM t LIMIT 10 FOR UPDATE SKIP LOCKED) due
       WHERE t.id = due.id RETURNING t.environment_id AS "environmentId"`,
    ],
  ])('is refused as %s', (name, text) => expect(() => dueRowsStatement(name, text)).toThrow('each with its tenant'));
});
