import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import { OneAnswerMethod, SignInFlow, SignInMethods, type Proof } from '../../src/identity/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { allowSecondFactors } from '../support/second-factor.js';
import { World } from '../support/world.js';

/** A method of a team, which believes everybody and calls what it does as a test says. */
class Gullible extends OneAnswerMethod<{ person: string; amr: readonly string[] }> {
  readonly name = 'gullible';
  readonly proves = [] as const;

  override async prove(_environmentId: string, { person, amr }: { person: string; amr: readonly string[] }) {
    return {
      identifiers: [{ identifier: { kind: 'externalUserId', value: person }, strength: 'proven' }],
      assurance: { amr, factor: 'possession', at: new Date() },
      redeem: async () => {},
    } satisfies Proof;
  }
}

/** A method of a team that asks another service who somebody is. */
class Elsewhere extends OneAnswerMethod<{ person: string }> {
  readonly name = 'elsewhere';
  readonly proves = [] as const;

  override async prove(_environmentId: string, { person }: { person: string }) {
    const identifier = { kind: 'foreignSubject', value: person, issuer: 'https://elsewhere.example' } as const;
    return {
      identifiers: [{ identifier, strength: 'proven' }],
      assurance: { amr: ['elsewhere'], factor: 'possession', at: new Date() },
      redeem: async () => {},
    } satisfies Proof;
  }
}

describe('a sign-in method of a team', () => {
  const method = new Gullible();
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
    test.app.get(SignInMethods, { strict: false }).register(method);
    world = await World.create(test);
    await allowSecondFactors(world, { required: true });
  });
  afterAll(() => test.close());

  const signIn = (person: string, ...amr: string[]) =>
    test.app
      .get(SignInFlow, { strict: false })
      .complete(
        world.environmentId,
        method,
        { person, amr },
        { client: { ipAddress: '192.0.2.1', userAgent: null, origin: null } },
      );
  const usersOf = (person: string) => rowsOf(test, 'SELECT id FROM users WHERE external_user_id = $1', [person]);

  it('opens a session that waits for the second factor required by the environment', async () => {
    const { user } = await signIn(newId(), 'mail-link');
    expect(user.scope).toBe('requiresAdditionalAuth');
  });

  it('finds people by the subjects of its own issuer, not whom the team has named by its id for them', async () => {
    const elsewhere = new Elsewhere();
    test.app.get(SignInMethods, { strict: false }).register(elsewhere);
    const person = newId();
    const wanted = { identifier: person, type: 'externalUserId', chains: ['EVM'] };
    const made = await world.api.post<{ user: { id: string } }>(world.path('/embeddedWallets'), wanted, {
      expect: 201,
    });
    const enter = () =>
      test.app
        .get(SignInFlow, { strict: false })
        .complete(
          world.environmentId,
          elsewhere,
          { person },
          { client: { ipAddress: '192.0.2.1', userAgent: null, origin: null } },
        );
    const { user } = await enter();
    expect(user.id).not.toBe(made.body.user.id);
    expect((await enter()).user.id).toBe(user.id);
  });

  it.each(['email', 'totp', 'passkey', 'recovery'])(
    'cannot call itself %s, which would count as that factor: it is refused, and nobody is signed in',
    async (name) => {
      const person = newId();
      await expect(signIn(person, 'mail-link', name)).rejects.toThrow(new RegExp(`gullible.*"${name}".*second factor`));
      expect(await usersOf(person)).toEqual([]);
    },
  );
});
