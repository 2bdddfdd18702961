import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newStamper, type Stamped, type Stamper } from '../support/stamper.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface WalletJson {
  id: string;
  chain: string;
  publicKey: string;
  properties: { keyvaultHDWalletId: string; claimed: boolean };
}
interface Prepared {
  organizationId: string;
  parameters: Record<string, unknown>;
  timestampMs: string;
  type: string;
}
type Refusal = { code?: string; payload?: { reason?: string } };
interface Person extends SignedIn {
  key: Stamper;
}

const CALLERS = 50;

describe('requests that are signed by the key of a session', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const path = (rest = ''): string => world.sdk(`/users/embeddedWallets${rest}`);
  const walletsOf = async (userId: string): Promise<WalletJson[]> =>
    (await world.api.get<{ user: { wallets: WalletJson[] } }>(world.path(`/users/${userId}`))).body.user.wallets;
  const someone = async (chains = ['EVM']): Promise<Person> => {
    const key = newStamper();
    const person = await world.signIn(newEmail(), { sessionPublicKey: key.publicKey });
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains }];
    if (chains.length > 0) {
      await world.anonymous.post(path(), { embeddedWallets }, { token: person.jwt, expect: 201 });
    }
    return { ...person, key };
  };
  const prepare = async (token: string, chain: string) =>
    (await world.anonymous.get<Prepared>(path(`/walletAccounts/createRequest?chain=${chain}`), { token, expect: 200 }))
      .body;
  const create = (token: string, keyvaultSignedRequest: Stamped) =>
    world.anonymous.post<Refusal>(path('/walletAccounts'), { keyvaultSignedRequest }, { token });
  const prepareDeletion = async (token: string, walletId: string) =>
    (await world.anonymous.get<Prepared>(path(`/${walletId}/deleteRequest`), { token, expect: 200 })).body;
  const remove = (token: string, keyvaultSignedRequest: Stamped) =>
    world.anonymous.delete<Refusal>(path(), { token, body: { keyvaultSignedRequest } });
  const register = async (token: string, body: object, headers?: Record<string, string>) =>
    world.anonymous.post<{ publicKey: string; expiresAt: number } & Refusal>(path('/sessionKey'), body, {
      token,
      headers: headers ?? (await proofOf(world, token)),
    });

  describe('add an account on another chain', () => {
    it('of the seed that is there, in the answer, the events and the ledger', async () => {
      const { jwt, userId, key } = await someone();
      const prepared = await prepare(jwt, 'SOL');
      expect(prepared).toMatchObject({
        type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
        parameters: { accounts: [{ curve: 'CURVE_ED25519', path: "m/44'/501'/0'/0'" }] },
      });
      expect((await create(jwt, key.stamp(prepared))).status).toBe(201);
      const wallets = await walletsOf(userId);
      expect(wallets.map(({ chain }) => chain)).toEqual(['EVM', 'SOL']);
      expect(new Set(wallets.map(({ properties }) => properties.keyvaultHDWalletId)).size).toBe(1);
      expect(wallets[1]!.properties.claimed).toBe(true);
      const told = (await eventsOf(test, world.environmentId)).filter(({ data }) => data['userId'] === userId);
      expect(told.filter(({ name }) => name === 'wallet.created')).toHaveLength(2);
      const rows = await rowsOf<{ operation: string }>(
        test,
        'SELECT operation FROM key_ledger WHERE user_id = $1 ORDER BY sequence',
        [userId],
      );
      expect(rows.map(({ operation }) => operation)).toEqual(['create', 'derive']);
    });

    it(`once, asked for ${CALLERS} times at once by different requests`, async () => {
      const { jwt, userId, key } = await someone();
      const prepared = await prepare(jwt, 'BTC');
      const at = Number(prepared.timestampMs);
      const distinct = Array.from({ length: CALLERS }, (_, back) => ({ ...prepared, timestampMs: String(at - back) }));
      const answers = await Promise.all(distinct.map((one) => create(jwt, key.stamp(one))));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(CALLERS - 1).fill(422)]);
      const codes = new Set(answers.map(({ body }) => body.code));
      expect(codes).toEqual(new Set([undefined, 'wallet_account_exists_for_chain']));
      expect(await walletsOf(userId)).toHaveLength(2);
    });

    it('not by a request that was carried out before, even if the account is gone since', async () => {
      const { jwt, userId, key } = await someone();
      const stamped = key.stamp(await prepare(jwt, 'SOL'));
      expect((await create(jwt, stamped)).status).toBe(201);
      const sol = (await walletsOf(userId)).find(({ chain }) => chain === 'SOL');
      expect((await remove(jwt, key.stamp(await prepareDeletion(jwt, sol!.id)))).status).toBe(204);
      expect((await create(jwt, stamped)).body.payload?.reason).toBe('it was carried out before');
      // Good from a minute before its time to a minute after it.
      const [used] = await rowsOf<{ seconds: number }>(
        test,
        'SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM wallet_used_requests WHERE digest = $1',
        [createHash('sha256').update(stamped.body).digest()],
      );
      expect(used!.seconds).toBeGreaterThan(120);
    });

    it('not without a wallet to add it to', async () => {
      const { jwt } = await someone([]);
      const answer = await world.anonymous.get<Refusal>(path('/walletAccounts/createRequest?chain=EVM'), {
        token: jwt,
      });
      expect([answer.status, answer.body.code]).toEqual([422, 'no_hd_wallet_found']);
    });
  });

  it.each<[string, (one: { prepared: Prepared; person: Person; other: Person }) => Stamped, RegExp]>([
    ['a signature of another key', ({ prepared, other }) => other.key.stamp(prepared), /not one of this session/],
    [
      'a body that was changed after it was signed',
      ({ prepared, person }) => ({ ...person.key.stamp(prepared), body: JSON.stringify({ ...prepared, x: 1 }) }),
      /not a signature/,
    ],
    [
      'a stamp of another name',
      ({ prepared, person }) => {
        const stamped = person.key.stamp(prepared);
        return { ...stamped, stamp: { ...stamped.stamp, stampHeaderName: 'X-Other' } };
      },
      /not a signature/,
    ],
    [
      'a stamp of another scheme',
      ({ prepared, person }) => {
        const { stamp, ...stamped } = person.key.stamp(prepared);
        const value = JSON.parse(Buffer.from(stamp.stampHeaderValue, 'base64url').toString()) as object;
        const stampHeaderValue = Buffer.from(JSON.stringify({ ...value, scheme: 'x' })).toString('base64url');
        return { ...stamped, stamp: { ...stamp, stampHeaderValue } };
      },
      /not a signature/,
    ],
    [
      'a stamp that is no JSON',
      ({ prepared, person }) => ({
        ...person.key.stamp(prepared),
        stamp: { stampHeaderName: 'X-Stamp', stampHeaderValue: 'e30' },
      }),
      /not a signature/,
    ],
    [
      'an old one',
      ({ prepared, person }) =>
        person.key.stamp({ ...prepared, timestampMs: String(Number(prepared.timestampMs) - 61_000) }),
      /older than a minute/,
    ],
    [
      'one of the future',
      ({ prepared, person }) =>
        person.key.stamp({ ...prepared, timestampMs: String(Number(prepared.timestampMs) + 90_000) }),
      /older than a minute/,
    ],
    ['one without a time', ({ prepared, person }) => person.key.stamp({ ...prepared, timestampMs: 'x' }), /older/],
    [
      'one whose time has no value as a number',
      ({ prepared, person }) => person.key.stamp({ ...prepared, timestampMs: { valueOf: 1, toString: 1 } }),
      /type is not/,
    ],
    [
      'one nested more deeply than a body may be',
      ({ prepared, person }) => {
        const [nested, deep] = [JSON.stringify({ ...prepared, parameters: [] }), 7_500];
        return person.key.stamp(nested.replace('[]', `{"x":${'['.repeat(deep)}${']'.repeat(deep)}}`));
      },
      /type is not/,
    ],
    [
      'one of another type',
      ({ prepared, person }) => person.key.stamp({ ...prepared, type: 'ACTIVITY_TYPE_DELETE_WALLETS' }),
      /type is not/,
    ],
    [
      'one for the keys of somebody else',
      ({ prepared, person }) => person.key.stamp({ ...prepared, organizationId: randomUUID() }),
      /organization/,
    ],
    [
      'another wallet than the one that was prepared',
      ({ prepared, person }) =>
        person.key.stamp({ ...prepared, parameters: { ...prepared.parameters, walletId: randomUUID() } }),
      /prepared/,
    ],
    [
      'an account of another curve',
      ({ prepared, person }) => {
        const [account] = prepared.parameters['accounts'] as object[];
        const accounts = [{ ...account, curve: 'CURVE_SECP256K1' }];
        return person.key.stamp({ ...prepared, parameters: { ...prepared.parameters, accounts } });
      },
      /prepared/,
    ],
    [
      'another account than the first of a chain',
      ({ prepared, person }) =>
        person.key.stamp({
          ...prepared,
          parameters: {
            ...prepared.parameters,
            accounts: [{ ...(prepared.parameters['accounts'] as object[])[0], path: "m/44'/501'/7'/0'" }],
          },
        }),
      /prepared/,
    ],
    ['what is no JSON', ({ person }) => person.key.stamp('x'), /type is not/],
  ])('are refused: %s', async (_, stamp, reason) => {
    const [person, other] = [await someone(), await someone()];
    const prepared = await prepare(person.jwt, 'SOL');
    const { status, body } = await create(person.jwt, stamp({ prepared, person, other }));
    expect([status, body.code]).toEqual([422, 'signed_request_refused']);
    expect(body.payload?.reason).toMatch(reason);
    expect(await walletsOf(person.userId)).toHaveLength(1);
  });

  describe('delete wallets', () => {
    it('with their credentials, events and, when none is left, their keys', async () => {
      const { jwt, userId, key } = await someone(['EVM', 'SOL']);
      const [evm, sol] = await walletsOf(userId);
      expect((await remove(jwt, key.stamp(await prepareDeletion(jwt, evm!.id)))).status).toBe(204);
      expect((await walletsOf(userId)).map(({ id }) => id)).toEqual([sol!.id]);
      const seeds = () =>
        rowsOf(test, 'SELECT id FROM wallet_seeds WHERE user_id = $1 AND destroy_after IS NULL', [userId]);
      expect(await seeds()).toHaveLength(1);
      const legacy = await world.anonymous.get<Prepared>(path('/deleteRequest'), { token: jwt, expect: 200 });
      expect(legacy.body.parameters['walletIds']).toEqual([sol!.id]);
      expect((await remove(jwt, key.stamp(legacy.body))).status).toBe(204);
      expect(await walletsOf(userId)).toEqual([]);
      expect(await seeds()).toEqual([]);
      const [row] = await rowsOf<{ actor: { id: string }; digest: Buffer }>(
        test,
        "SELECT actor, digest FROM key_ledger WHERE user_id = $1 AND operation = 'delete'",
        [userId],
      );
      expect([row!.actor.id, row!.digest.length]).toEqual([userId, 32]);
      const told = (await eventsOf(test, world.environmentId)).filter(({ data }) => data['userId'] === userId);
      expect(told.filter(({ name }) => name === 'wallet.deleted')).toHaveLength(2);
      // Wallets made anew have keys of their own.
      const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }];
      await world.anonymous.post(path(), { embeddedWallets }, { token: jwt, expect: 201 });
      expect((await walletsOf(userId))[0]!.publicKey).not.toBe(evm!.publicKey);
    });

    it(`once, sent ${CALLERS} times at once`, async () => {
      const { jwt, userId, key } = await someone(['EVM', 'SOL']);
      const [evm] = await walletsOf(userId);
      const stamped = key.stamp(await prepareDeletion(jwt, evm!.id));
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => remove(jwt, stamped)));
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(answers.filter(({ body }) => body?.code === 'signed_request_refused')).toHaveLength(CALLERS - 1);
      expect(await walletsOf(userId)).toHaveLength(1);
    });

    it('not where the user has signed that one without an export stays', async () => {
      const { jwt, userId, key } = await someone();
      const [wallet] = await walletsOf(userId);
      const prepared = await prepareDeletion(jwt, wallet!.id);
      for (const deleteWithoutExport of [false, 'true', null]) {
        const parameters = { ...prepared.parameters, deleteWithoutExport };
        const { status, body } = await remove(jwt, key.stamp({ ...prepared, parameters }));
        expect([status, body.code]).toEqual([422, 'signed_request_refused']);
        expect(body.payload?.reason).toMatch(/deleteWithoutExport/);
      }
      expect(await walletsOf(userId)).toHaveLength(1);
      const { walletIds } = prepared.parameters;
      expect((await remove(jwt, key.stamp({ ...prepared, parameters: { walletIds } }))).status).toBe(204);
    });

    it('all of them or none: not those of somebody else', async () => {
      const [mine, other] = [await someone(['EVM', 'SOL']), await someone()];
      const [own] = await walletsOf(mine.userId);
      const [theirs] = await walletsOf(other.userId);
      const prepared = await prepareDeletion(mine.jwt, own!.id);
      const both = { ...prepared, parameters: { walletIds: [own!.id, theirs!.id] } };
      expect((await remove(mine.jwt, mine.key.stamp(both))).status).toBe(404);
      expect(await walletsOf(mine.userId)).toHaveLength(2);
      const foreign = await world.anonymous.get(path(`/${theirs!.id}/deleteRequest`), { token: mine.jwt });
      expect(foreign.status).toBe(404);
      for (const walletIds of [[], 'x', [own!.id, own!.id], ['x'], undefined]) {
        const { status, body } = await remove(mine.jwt, mine.key.stamp({ ...prepared, parameters: { walletIds } }));
        expect([status, body.code]).toEqual([422, 'signed_request_refused']);
      }
    });

    it('not a hidden one, whose keys stay, nor one whose keys are elsewhere', async () => {
      const { jwt, userId, key } = await someone(['EVM', 'SOL']);
      const [evm, sol] = await walletsOf(userId);
      const ofHidden = await prepareDeletion(jwt, sol!.id);
      await world.anonymous.delete(path(`/${sol!.id}/softDelete`), { token: jwt, expect: 204 });
      const publicWalletAddress = `0x${randomBytes(20).toString('hex')}`;
      const elsewhere = await world.api.post<{ id: string }>(
        world.path(`/users/${userId}/wallets`),
        { publicWalletAddress, chain: 'EVM', walletName: 'x', walletProvider: 'browserExtension' },
        { expect: 201 },
      );
      for (const id of [sol!.id, elsewhere.body.id]) {
        expect((await remove(jwt, key.stamp({ ...ofHidden, parameters: { walletIds: [id] } }))).status).toBe(404);
      }
      expect((await remove(jwt, key.stamp(await prepareDeletion(jwt, evm!.id)))).status).toBe(204);
      await world.anonymous.put(path(`/${sol!.id}/restore`), {}, { token: jwt, expect: 204 });
      const message = { kind: 'message', message: 'x' };
      await world.anonymous.post(path(`/${sol!.id}/sign`), message, { token: jwt, expect: 200 });
    });

    it(`beside ${CALLERS} signatures: none is answered afterwards`, async () => {
      const { jwt, userId, key } = await someone(['EVM', 'SOL']);
      const [evm] = await walletsOf(userId);
      const sign = () =>
        world.anonymous.post(path(`/${evm!.id}/sign`), { kind: 'message', message: 'x' }, { token: jwt });
      const stamped = key.stamp(await prepareDeletion(jwt, evm!.id));
      const [deleted, ...answers] = await Promise.all([
        remove(jwt, stamped),
        ...Array.from({ length: CALLERS }, () => sign()),
      ]);
      expect(deleted.status).toBe(204);
      expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
      expect((await sign()).status).toBe(404);
    });
  });

  describe('take a key that was registered since', () => {
    it('with a fresh proof, until it expires', async () => {
      const { jwt } = await someone();
      const key = newStamper();
      const prepared = await prepare(jwt, 'SUI');
      expect((await create(jwt, key.stamp(prepared))).status).toBe(422);
      const without = await register(jwt, { publicKey: key.publicKey }, {});
      expect([without.status, without.body.code]).toEqual([403, 'fresh_proof_required']);
      const { status, body } = await register(jwt, { publicKey: key.publicKey.toUpperCase() });
      expect([status, body.publicKey]).toEqual([200, key.publicKey]);
      const seconds = body.expiresAt - Date.now() / 1000;
      expect(seconds).toBeGreaterThan(600);
      expect(seconds).toBeLessThan(960);
      await rowsOf(
        test,
        "UPDATE wallet_session_keys SET expires_at = now() - interval '1 second' WHERE public_key = $1",
        [key.publicKey],
      );
      expect((await create(jwt, key.stamp(prepared))).status).toBe(422);
      await register(jwt, { publicKey: key.publicKey });
      expect((await create(jwt, key.stamp(prepared))).status).toBe(201);
    });

    it('in the place of the one that was given at the sign-in, which is good for a day', async () => {
      const { jwt, key, userId } = await someone();
      const began = (ago: string) =>
        rowsOf(test, 'UPDATE sessions SET created_at = now() - $2::interval WHERE user_id = $1', [userId, ago]);
      await began('23 hours 59 minutes');
      expect((await create(jwt, key.stamp(await prepare(jwt, 'SUI')))).status).toBe(201);
      await began('24 hours 1 second');
      const { body } = await create(jwt, key.stamp(await prepare(jwt, 'SOL')));
      expect([body.code, body.payload?.reason]).toEqual([
        'signed_request_refused',
        'the key is not one of this session',
      ]);
      await register(jwt, { publicKey: key.publicKey });
      expect((await create(jwt, key.stamp(await prepare(jwt, 'SOL')))).status).toBe(201);
    });

    it('before the settings end the one that was given at the sign-in, which is at once where they are shortened', async () => {
      const strict = await World.create(test);
      const key = newStamper();
      const { jwt, userId } = await strict.signIn(newEmail(), { sessionPublicKey: key.publicKey });
      const wallets = (rest = ''): string => strict.sdk(`/users/embeddedWallets${rest}`);
      const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
      await strict.anonymous.post(wallets(), { embeddedWallets }, { token: jwt, expect: 201 });
      const lasting = (amount: number, unit: string) =>
        strict.api.put<Refusal>(strict.path(''), {
          sdk: { embeddedWallets: { sessionKeyDuration: { amount, unit } } },
        });
      const add = async (chain: string) => {
        const asked = wallets(`/walletAccounts/createRequest?chain=${chain}`);
        const { body } = await strict.anonymous.get<Prepared>(asked, { token: jwt, expect: 200 });
        const keyvaultSignedRequest = key.stamp(body);
        return strict.anonymous.post<Refusal>(wallets('/walletAccounts'), { keyvaultSignedRequest }, { token: jwt });
      };
      await rowsOf(test, "UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1", [userId]);
      expect((await lasting(61, 'minutes')).status).toBe(200);
      await eventually('the key is good', async () => (await add('SUI')).status === 201);
      expect((await lasting(59, 'minutes')).status).toBe(200);
      await eventually('the key is over', async () =>
        (await add('SOL')).body.payload?.reason?.includes('this session'),
      );
      for (const [amount, unit] of [
        [14, 'minutes'],
        [25, 'hours'],
        [0, 'days'],
      ] as const) {
        const { status, body } = await lasting(amount, unit);
        expect([status, body.code]).toEqual([422, 'setting_not_available']);
      }
    });

    it(`ten of them, of ${CALLERS} at once, and not in another session`, async () => {
      const person = await someone();
      const headers = await proofOf(world, person.jwt);
      const keys = Array.from({ length: CALLERS }, newStamper);
      const answers = await Promise.all(keys.map(({ publicKey }) => register(person.jwt, { publicKey }, headers)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ body }) => body.code === 'too_many_session_keys')).toHaveLength(CALLERS - 10);
      const taken = keys[answers.findIndex(({ status }) => status === 200)]!;
      const other = await world.signIn(person.email);
      const prepared = await prepare(other.jwt, 'SOL');
      expect((await create(other.jwt, taken.stamp(prepared))).body.payload?.reason).toMatch(/not one of this session/);
      expect((await create(person.jwt, taken.stamp(prepared))).status).toBe(201);
      await rowsOf(test, 'UPDATE wallet_session_keys SET expires_at = now() WHERE public_key = $1', [taken.publicKey]);
      expect((await register(person.jwt, { publicKey: newStamper().publicKey }, headers)).status).toBe(200);
    });

    it.each<[string, object]>([
      ['no key', { publicKey: 'x' }],
      ['a point that is not on the curve', { publicKey: `02${'f'.repeat(64)}` }],
      ['a signature of the key before', { publicKey: newStamper().publicKey, prevSessionKeySignature: 'x' }],
      ['a wallet', { publicKey: newStamper().publicKey, walletId: randomUUID() }],
    ])('never with %s', async (_, body) => {
      const { jwt } = await someone([]);
      expect(await register(jwt, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    });
  });
});
