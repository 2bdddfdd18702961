import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storedBytes } from '../../src/database/outbox/event-size.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

describe('an event of more than 256 KB', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  it('is refused together with its change: short numbers with many digits', async () => {
    const metadata = { at: Array.from({ length: 1500 }, () => 5e-324) };
    const email = newEmail();
    const { body } = await world.api.post<object>(world.path('/users'), { email, metadata }, { expect: 422 });
    expect(body).toMatchObject({ code: 'event_too_large' });
    expect(await rowsOf(test, 'SELECT id FROM users WHERE email = $1', [email])).toEqual([]);
    await world.api.post(world.path('/users'), { email }, { expect: 201 });
  });

  it('is refused if a record has grown too large', async () => {
    const request = { email: newEmail(), alias: 'before' };
    const { body } = await world.api.post<{ user: { id: string } }>(world.path('/users'), request, { expect: 201 });
    const { id } = body.user;
    const grow = `UPDATE users SET metadata = jsonb_build_object('text', repeat('x', 256 * 1024)) WHERE id = $1`;
    await rowsOf(test, grow, [id]);
    const told = (await eventsOf(test, world.environmentId, id)).length;
    const path = `/users/${id}`;
    const answer = await world.api.put<object>(path, { alias: 'after' }, { expect: 422 });
    expect(answer.body).toMatchObject({ code: 'event_too_large' });
    expect(await rowsOf(test, 'SELECT alias FROM users WHERE id = $1', [id])).toEqual([{ alias: 'before' }]);
    expect(await eventsOf(test, world.environmentId, id)).toHaveLength(told);
    await world.api.put(path, { alias: 'after', metadata: {} }, { expect: 200 });
  });

  it('is measured as PostgreSQL stores it', async () => {
    const values: unknown[] = [
      { a: [1, 2.5, -3, 1e21, 1.5e-7, 5e-324, 1.7976931348623157e308, -1.25e22, 0.1, 123456789.125] },
      { text: 'é\u0001\n\t"\\\u007f\u2028𝄞', nested: [[], {}, [{}], { a: null, b: true, c: false }] },
      [-0, 1e-6, 1e-7, 999999999999999, 1e300, 4.9e-300],
    ];
    for (const value of values) {
      const [row] = await rowsOf<{ bytes: number }>(test, 'SELECT octet_length($1::jsonb::text) AS bytes', [
        JSON.stringify(value),
      ]);
      expect(storedBytes(JSON.parse(JSON.stringify(value)))).toBe(row!.bytes);
    }
  });
});
