import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { SigningKeys, type Rotation } from '../../src/environments/index.js';
import type { TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newEmail, World } from '../support/world.js';

describe('the key that signs tokens', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const rotate = (): Promise<Rotation> => test.app.get(SigningKeys).rotate(world.environmentId);
  const published = async (): Promise<string[]> => {
    const path = world.sdk('/.well-known/jwks');
    const { body } = await world.anonymous.get<{ keys: { kid: string }[] }>(path, { expect: 200 });
    return body.keys.map(({ kid }) => kid).sort();
  };
  /** Whose signature a token of this moment has. */
  const signedBy = async (): Promise<string | undefined> =>
    decodeProtectedHeader((await world.signIn(newEmail())).jwt).kid;
  const statusOf = async (token: string): Promise<number> =>
    (await world.anonymous.get(world.sdk('/session'), { token })).status;
  const set = (id: string, column: 'created_at' | 'retired_at', ago: string): Promise<object[]> =>
    rowsOf(test, `UPDATE signing_keys SET ${column} = now() - $2::interval WHERE id = $1`, [id, ago]);

  it('is replaced in two steps a day apart, and what it has signed holds as long as tokens live', async () => {
    const { jwt } = await world.signIn(newEmail());
    const first = decodeProtectedHeader(jwt).kid!;
    // An old key, which nevertheless ceases to sign only now.
    await set(first, 'created_at', '90 days');

    const { step, keyId: second } = await rotate();
    expect(step).toBe('published');
    expect(await published()).toEqual([first, second].sort());
    expect(await signedBy()).toBe(first);
    await set(second, 'created_at', '23 hours 59 minutes');
    expect(await rotate()).toMatchObject({ step: 'waiting', keyId: second });
    expect(await signedBy()).toBe(first);

    await set(second, 'created_at', '24 hours');
    expect(await rotate()).toMatchObject({ step: 'promoted', keyId: second });
    expect(await published()).toEqual([first, second].sort());
    expect(await signedBy()).toBe(second);
    expect(await statusOf(jwt)).toBe(204);

    await set(first, 'retired_at', '30 days');
    const { step: next, keyId: third } = await rotate();
    expect(next).toBe('published');
    expect(await published()).toEqual([first, second, third].sort());
    expect(await statusOf(jwt)).toBe(204);
    await set(first, 'retired_at', '30 days 5 minutes');
    expect(await rotate()).toMatchObject({ step: 'waiting', keyId: third });
    expect(await published()).toEqual([second, third].sort());
    expect(await statusOf(jwt)).toBe(401);

    await set(third, 'created_at', '24 hours');
    expect((await rotate()).step).toBe('promoted');
    const rows = await rowsOf<{ id: string; status: string }>(
      test,
      'SELECT id, status FROM signing_keys WHERE environment_id = $1 ORDER BY status',
      [world.environmentId],
    );
    expect(rows).toEqual([
      { id: third, status: 'current' },
      { id: second, status: 'previous' },
    ]);
    for (const resourceId of [second, third]) {
      const records = await auditOf(test, world.ids.organizationId, { resourceId });
      expect(records.map(({ action }) => action)).toEqual(['signingKey.published', 'signingKey.promoted']);
    }
  });
});
