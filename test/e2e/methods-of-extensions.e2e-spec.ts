import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EndUserPrincipal } from '../../src/auth/index.js';
import { decodeJwt } from 'jose';
import { newId } from '../../src/common/ids.js';
import { LinkFlow, OneAnswerMethod, SignInFlow, SignInMethods, type Proof } from '../../src/identity/index.js';
import { OidcError } from '../../src/oidc/index.js';
import { OutboundError } from '../../src/outbound/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { allowSecondFactors } from '../support/second-factor.js';
import { World } from '../support/world.js';

const ISSUER = 'https://elsewhere.example';

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
  readonly proves = [] as const;
  failure: Error | null = null;

  constructor(
    readonly name: string,
    private readonly issuer = ISSUER,
  ) {
    super();
  }

  override async prove(_environmentId: string, { person }: { person: string }) {
    if (this.failure) throw this.failure;
    const identifier = { kind: 'foreignSubject', value: person, issuer: this.issuer } as const;
    return {
      identifiers: [{ identifier, strength: 'proven' }],
      assurance: { amr: [this.name], factor: 'possession', at: new Date() },
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
    const elsewhere = new Elsewhere('elsewhere');
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

  it('does not take the subject of its own issuer for a person of the team with that id', async () => {
    const elsewhere = new Elsewhere('elsewhere-listed');
    test.app.get(SignInMethods, { strict: false }).register(elsewhere);
    const closed = await World.create(test);
    const list = { name: 'Ours', outcome: 'siteAccess', scope: 'ours' };
    const { id } = (await closed.api.post<{ id: string }>(closed.path('/allowlists'), list, { expect: 201 })).body;
    const person = newId();
    await closed.api.post(`/allowlists/${id}/entries`, { externalUserId: person }, { expect: 201 });
    const client = { ipAddress: '192.0.2.1', userAgent: null, origin: null };
    const enter = () =>
      test.app.get(SignInFlow, { strict: false }).complete(closed.environmentId, elsewhere, { person }, { client });
    const { user } = await enter();
    expect(user.externalUserId).toBeUndefined();
    expect(user.verifiedCredentials.map((one) => one.public_identifier)).toEqual([`${ISSUER} ${person}`]);
    await closed.api.put(`/allowlists/${id}/enable`, undefined, { expect: 200 });
    await expect(enter()).rejects.toMatchObject({ code: 'access_denied' });
    await closed.api.post(`/allowlists/${id}/entries`, { externalUserId: `${ISSUER} ${person}` }, { expect: 201 });
    expect((await enter()).user.id).toBe(user.id);
  });

  describe('whose subject an older version stored without the issuer', () => {
    const client = { ipAddress: '192.0.2.1', userAgent: null, origin: null };
    const elsewhere = new Elsewhere('elsewhere-before');
    let closed: World;
    let listId: string;

    beforeAll(async () => {
      test.app.get(SignInMethods, { strict: false }).register(elsewhere);
      closed = await World.create(test);
      const list = { name: 'Ours', outcome: 'siteAccess', scope: 'ours' };
      listId = (await closed.api.post<{ id: string }>(closed.path('/allowlists'), list, { expect: 201 })).body.id;
      await closed.api.put(`/allowlists/${listId}/enable`, undefined, { expect: 200 });
    });

    const enter = (person: string) =>
      test.app.get(SignInFlow, { strict: false }).complete(closed.environmentId, elsewhere, { person }, { client });
    const admit = async (externalUserId: string): Promise<string> => {
      const path = `/allowlists/${listId}/entries`;
      return (await closed.api.post<{ id: string }>(path, { externalUserId }, { expect: 201 })).body.id;
    };
    const known = async (person: string): Promise<string> => {
      const entryId = await admit(`${ISSUER} ${person}`);
      const { user } = await enter(person);
      await closed.api.delete(`/allowlistEntries/${entryId}`, { expect: 204 });
      const values = [closed.environmentId, user.id, person];
      await rowsOf(test, 'UPDATE users SET external_user_id = $3 WHERE environment_id = $1 AND id = $2', values);
      const forget = 'UPDATE credentials SET public_identifier = $3 WHERE environment_id = $1 AND user_id = $2';
      await rowsOf(test, forget, values);
      return user.id;
    };
    const stored = (userId: string) =>
      rowsOf<{ subject: string; id: string | null }>(
        test,
        `SELECT c.public_identifier AS subject, u.external_user_id AS id FROM users u
         JOIN credentials c ON c.environment_id = u.environment_id AND c.user_id = u.id
         WHERE u.environment_id = $1 AND u.id = $2`,
        [closed.environmentId, userId],
      );

    it('is not admitted as the person of the team with that id, and goes by both from its next sign-in on', async () => {
      const person = newId();
      const userId = await known(person);
      await admit(person);
      await expect(enter(person)).rejects.toMatchObject({ code: 'access_denied' });
      await admit(`${ISSUER} ${person}`);
      const { user } = await enter(person);
      expect([user.id, user.externalUserId]).toEqual([userId, undefined]);
      expect(await stored(userId)).toEqual([{ subject: `${ISSUER} ${person}`, id: null }]);
    });

    it('keeps the id of the team where that was proven, too', async () => {
      const person = newId();
      const userId = await known(person);
      await rowsOf(
        test,
        `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
         VALUES ($1, 'foreignSubject', $2, $3, now())`,
        [closed.environmentId, `https://team.example ${person}`, userId],
      );
      await admit(person);
      expect((await enter(person)).user).toMatchObject({ id: userId, externalUserId: person });
      expect(await stored(userId)).toEqual([{ subject: person, id: person }]);
    });
  });

  it('gives a user one credential for each issuer, of which each is unlinked by itself', async () => {
    const [one, other] = [new Elsewhere('one'), new Elsewhere('other', 'https://other.example')];
    for (const each of [one, other]) test.app.get(SignInMethods, { strict: false }).register(each);
    const free = await World.create(test);
    const person = newId();
    const client = { ipAddress: '192.0.2.1', userAgent: null, origin: null };
    const flow = test.app.get(SignInFlow, { strict: false });
    const enter = (method: Elsewhere) => flow.complete(free.environmentId, method, { person }, { client });
    const { user, jwt } = await enter(one);
    const [userId, sessionId] = [user.id, user.sessionId];
    const caller = {
      kind: 'endUser',
      environmentId: free.environmentId,
      userId,
      sessionId,
      scopes: [],
      tokenId: decodeJwt(jwt!).jti!,
    };
    await test.app
      .get(LinkFlow, { strict: false })
      .complete(
        free.environmentId,
        { ...caller, tokenUse: 'current' } as EndUserPrincipal,
        other,
        { person },
        { client },
      );
    const linked = await enter(other);
    expect([linked.user.id, linked.user.verifiedCredentials.length]).toEqual([userId, 2]);
    const left = linked.user.verifiedCredentials.find((own) => own.public_identifier?.startsWith('https://other'))!;
    await free.anonymous.post(
      free.sdk('/verify/unlink'),
      { verifiedCredentialId: left.id },
      { token: jwt!, expect: 200 },
    );
    expect((await enter(one)).user.id).toBe(userId);
    expect((await enter(other)).user.id).not.toBe(userId);
  });

  it.each([
    ['refused', new OidcError('refused', 'the provider answered invalid_grant')],
    ['unreachable', new OidcError('unreachable', 'timeout')],
    ['unreachable', new OutboundError('timeout', 'no answer')],
    ['id_token', new OidcError('id_token', 'it has expired')],
  ])('whose vendor does not confirm a person refuses the sign-in and the link with the reason %s', async (...row) => {
    const [reason, failure] = row;
    const away = new Elsewhere(`away-${newId()}`);
    test.app.get(SignInMethods, { strict: false }).register(away);
    away.failure = failure;
    const client = { ipAddress: '192.0.2.1', userAgent: null, origin: null };
    const refused = { status: 422, code: 'social_sign_in_failed', details: { payload: { reason } } };
    const flow = test.app.get(SignInFlow, { strict: false });
    const entered = flow.complete(world.environmentId, away, { person: newId() }, { client });
    await expect(entered).rejects.toMatchObject(refused);
    const caller = { kind: 'endUser', userId: newId(), sessionId: newId() } as EndUserPrincipal;
    const links = test.app.get(LinkFlow, { strict: false });
    const linked = links.complete(world.environmentId, caller, away, { person: newId() }, { client });
    await expect(linked).rejects.toMatchObject(refused);
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
