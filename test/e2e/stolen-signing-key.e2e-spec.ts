import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { signingKeysRotate } from '../../src/cli/signing-keys.commands.js';
import { SigningKeys } from '../../src/environments/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf } from '../support/audit.js';
import { TestClient } from '../support/client.js';
import { command } from '../support/operator.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

describe('a signing key that was stolen', () => {
  let test: TestApp;
  let other: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    other = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: test.databaseUrl });
    world = await World.create(test);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  const statusAt = async (app: TestApp, token: string): Promise<number> =>
    (await new TestClient(app.url).get(world.sdk('/session'), { token })).status;
  const keyIds = async (): Promise<string[]> => {
    const path = world.sdk('/.well-known/jwks');
    return (await world.anonymous.get<{ keys: { kid: string }[] }>(path, { expect: 200 })).body.keys.map(
      ({ kid }) => kid,
    );
  };

  it('is not looked for in an environment that is misspelled, which is said in one line', async () => {
    for (const id of ['sandbox', world.ids.organizationId]) {
      const said = await command(test.app, 'signing-keys', 'rotate', '--now', '--environment', id);
      expect(said).toEqual({ code: 1, stdout: '', stderr: `There is no environment ${id}.\n` });
    }
  });

  it('is replaced at once: every token there is is refused on every instance, and who signs in again is in', async () => {
    const { email, jwt } = await world.signIn(newEmail());
    const keys = test.app.get(SigningKeys);
    await keys.rotate(world.environmentId);
    const due =
      "UPDATE signing_keys SET created_at = now() - interval '1 day' WHERE environment_id = $1 AND status = 'next'";
    await rowsOf(test, due, [world.environmentId]);
    // One that signed the token, one that signs now, and one that is next.
    for (const step of ['promoted', 'published'])
      expect(await keys.rotate(world.environmentId)).toMatchObject({ step });
    const before = await keyIds();
    expect(before).toHaveLength(3);
    expect([await statusAt(test, jwt), await statusAt(other, jwt)]).toEqual([204, 204]);

    const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    await signingKeysRotate(test.app, ['--now', '--environment', world.environmentId]);
    expect(printed.mock.calls[0]![0]).toMatch(/^replaced {2}[0-9a-f-]{36} {2}usable from /);
    printed.mockRestore();

    expect(await statusAt(test, jwt)).toBe(401);
    await world.anonymous.post(world.sdk('/refresh'), undefined, { token: jwt, expect: 401 });
    await eventually('the other instance refuses it', async () => (await statusAt(other, jwt)) === 401);
    const after = await keyIds();
    expect(after).toHaveLength(1);
    expect(before).not.toContain(after[0]);
    const again = await world.signIn(email);
    expect([await statusAt(test, again.jwt), await statusAt(other, again.jwt)]).toEqual([204, 204]);

    const actions = await Promise.all(
      [...before, ...after].map(async (resourceId) =>
        (await auditOf(test, world.ids.organizationId, { resourceId })).map(({ action }) => action),
      ),
    );
    expect(actions.map((each) => each.at(-1))).toEqual([
      ...Array.from({ length: 3 }, () => 'signingKey.revoked'),
      'signingKey.promoted',
    ]);
  });

  it('leaves one key that signs, whoever replaces and rotates at the same moment', async () => {
    const keys = test.app.get(SigningKeys);
    const calls = Array.from({ length: 12 }, (_, n) =>
      n % 2 ? keys.replaceNow(world.environmentId) : keys.rotate(world.environmentId),
    );
    await Promise.allSettled(calls);
    const rows = await rowsOf<{ status: string }>(
      test,
      "SELECT status FROM signing_keys WHERE environment_id = $1 AND status <> 'next'",
      [world.environmentId],
    );
    expect(rows).toEqual([{ status: 'current' }]);
    const { jwt } = await world.signIn(newEmail());
    expect(await statusAt(test, jwt)).toBe(204);
  });
});
