import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { encodeFunctionData, erc20Abi, serializeTransaction, type Hex } from 'viem';
import { UnitOfWork } from '../../src/database/index.js';
import { PoliciesRepository } from '../../src/wallets/policies/policies.repository.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newStamper } from '../support/stamper.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World } from '../support/world.js';

interface Rule {
  ruleId: string;
  name: string;
  ruleType: string;
}
interface Answer {
  code?: string;
  message?: string;
  payload?: { reason?: string };
  policyContent: Rule[];
  signature?: string;
}
interface Trial {
  code?: string;
  allowed: boolean;
  reason: string;
  effects: {
    to?: string | null;
    value?: string;
    asset?: string;
    amount?: string;
    allowed: boolean;
    rules: { rule: Rule; fits: string; because: string }[];
  }[];
}

const SHOP: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TOKEN: Hex = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const THIEF: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const [DENIED, GIVEN] = [`0x${'4'.repeat(64)}`, `0x${'5'.repeat(64)}`] as const;
const AT_ONCE = 25;
/** A public key of X25519. */
const RECIPIENT = base58.encode(randomBytes(32));

const pay = (to: Hex, value: bigint, data?: Hex) => ({
  kind: 'evmTransaction',
  transaction: serializeTransaction({ chainId: 1, to, value, gas: 21_000n, maxFeePerGas: 1n, ...(data && { data }) }),
});
const erc20 = (functionName: 'transfer' | 'approve', to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName, args: [to, amount] });
const permit = (spender: string, value: string) => ({
  kind: 'typedData',
  typedData: {
    types: {
      Permit: [
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    domain: { name: 'USD Coin', chainId: 1, verifyingContract: TOKEN },
    message: { spender, value },
  },
});
/** BCS of a transaction whose commands, of five bytes each, transfer no objects to somebody. */
const givingNothing = (from: string, to: string, commands: number): string => {
  const [sender, receiver] = [from, to].map((address) => Buffer.from(address.slice(2), 'hex')) as [Buffer, Buffer];
  const inputs = Buffer.concat([Buffer.of(1, 0, receiver.length), receiver]);
  const count = Buffer.of((commands & 0x7f) | 0x80, commands >> 7);
  const list = Array.from({ length: commands }, () => Buffer.of(1, 0, 1, 0, 0));
  const gas = Buffer.concat([Buffer.of(0), sender, Buffer.alloc(16), Buffer.of(0)]);
  return Buffer.concat([Buffer.of(0, 0), inputs, count, ...list, sender, gas]).toString('base64');
};
const allow = (rest: object) => ({ name: 'allowed', ruleType: 'allow', chain: 'EVM', ...rest });
const deny = (rest: object) => ({ name: 'denied', ruleType: 'deny', chain: 'EVM', ...rest });

describe('the signing policy of an environment', () => {
  let test: TestApp;
  let world: World;
  let jwt: string;
  let userId: string;
  let wallets: Record<string, string>;

  const path = (rest = '') => world.path(`/waas/policies${rest}`);
  const add = (...rulesToAdd: object[]) => world.api.post<Answer>(path(), { rulesToAdd });
  const sign = async (body: object, chain = 'EVM') => {
    const to = world.sdk(`/users/embeddedWallets/${wallets[chain]}/sign`);
    const answer = await world.anonymous.post<Answer>(to, body, { token: jwt });
    return answer.status === 200 ? 'signed' : `${answer.body.code}: ${answer.body.payload?.reason}`;
  };
  const trial = async (request: object) =>
    (await world.api.post<Trial>(path('/trial'), { walletId: wallets['EVM'], request }, { expect: 200 })).body;

  const addressesOf = (chain: string) =>
    rowsOf<{ id: string; address: string }>(test, 'SELECT id, address FROM wallets WHERE user_id = $1 AND chain = $2', [
      userId,
      chain,
    ]);

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  beforeEach(async () => {
    world = await World.create(test);
    ({ jwt, userId } = await world.signIn(newEmail()));
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM', 'SOL', 'SUI'] }];
    await world.anonymous.post(world.sdk('/users/embeddedWallets'), { embeddedWallets }, { token: jwt, expect: 201 });
    const made = await rowsOf<{ id: string; chain: string }>(test, 'SELECT id, chain FROM wallets WHERE user_id = $1', [
      userId,
    ]);
    wallets = Object.fromEntries(made.map(({ id, chain }) => [chain, id]));
  });

  it('is not there at first, and everything is signed that can be read', async () => {
    expect((await world.api.get(path())).status).toBe(404);
    expect(await sign(pay(THIEF, 5n))).toBe('signed');
  });

  it('is read, changed rule by rule, and told of', async () => {
    const { status, body } = await add(allow({ addresses: [SHOP] }), deny({ addresses: [THIEF] }));
    expect(status).toBe(201);
    expect(body.message).toMatch(/type allow fits/);
    const [first, second] = body.policyContent;
    const changed = { ...allow({ addresses: [THIEF] }), ruleId: first!.ruleId, name: 'changed' };
    const updated = await world.api.put<Answer>(path(), { rulesToUpdate: [changed] }, { expect: 200 });
    expect(updated.body.policyContent).toEqual([changed, second]);
    expect((await world.api.get<Answer>(path())).body.policyContent).toEqual([changed, second]);
    const left = await world.api.delete<Answer>(path(), { body: { ruleIdsToDelete: [first!.ruleId] } });
    expect(left.body).toMatchObject({
      policyContent: [second],
      message: expect.stringMatching(/no rule of the type deny/),
    });
    const told = (await eventsOf(test, world.environmentId)).map(({ name }) => name);
    const ofPolicy = told.filter((name) => name.startsWith('signingPolicy.'));
    expect(ofPolicy).toEqual(['signingPolicy.created', 'signingPolicy.updated', 'signingPolicy.updated']);
  });

  it('takes no rule that is unknown, and then changes none', async () => {
    const { body } = await add(allow({ addresses: [SHOP] }));
    const [rule] = body.policyContent;
    const rulesToUpdate = [{ ...rule, name: 'changed' }, allow({ ruleId: world.environmentId })];
    expect((await world.api.put(path(), { rulesToUpdate })).status).toBe(404);
    const twice = { rulesToUpdate: [rule, { ...rule, name: 'changed' }] };
    expect(await world.api.put(path(), twice)).toMatchObject({ status: 422, body: { code: 'invalid_policy_rule' } });
    const ruleIdsToDelete = [rule!.ruleId, world.environmentId];
    expect((await world.api.delete(path(), { body: { ruleIdsToDelete } })).status).toBe(404);
    expect((await world.api.get<Answer>(path())).body.policyContent).toEqual([rule]);
    const mistyped = { chain: 'BTC', addresses: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3q4'] };
    for (const wrong of [allow({ addresses: ['x'] }), deny(mistyped)])
      expect(await add(wrong)).toMatchObject({ status: 422, body: { code: 'invalid_policy_rule' } });
  });

  it(`has at most 100 rules, of ${AT_ONCE} additions at once as well`, async () => {
    const four = Array.from({ length: 5 }, () => deny({ addresses: [THIEF] }));
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => add(...four)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 20 }, () => 201),
      ...Array.from({ length: 5 }, () => 422),
    ]);
    expect((await world.api.get<Answer>(path())).body.policyContent).toHaveLength(100);
  });

  describe('with a rule of the type allow', () => {
    it('lets nothing be signed but that, on no chain, and the ledger has each refusal', async () => {
      await add(allow({ addresses: [SHOP], chainIds: [1] }));
      expect(await sign(pay(SHOP, 1n))).toBe('signed');
      const outside = [pay(THIEF, 1n), permit(THIEF, '1'), { kind: 'message', message: 'I agree.' }];
      for (const body of outside) expect(await sign(body)).toBe('refused_by_signing_policy: no rule allows it');
      expect(await sign({ kind: 'message', message: 'x' }, 'SOL')).toMatch(/no rule allows it/);
      const rows = await rowsOf<{ verdict: string }>(
        test,
        'SELECT verdict FROM key_ledger WHERE environment_id = $1 AND operation = $2 ORDER BY sequence',
        [world.environmentId, 'sign'],
      );
      expect(rows.map(({ verdict }) => verdict)).toEqual([
        ...['allowed', ...Array.from({ length: 4 }, () => 'refused_by_signing_policy')],
      ]);
    });

    it('knows calls and what they are called with, by the bytes alone', async () => {
      const constraint = { index: 0, operator: 'equal', value: SHOP };
      const call = { contractAbi: erc20Abi, functionName: 'transfer', argumentConstraints: [constraint] };
      await add(allow({ addresses: [TOKEN], ...call }));
      expect(await sign(pay(TOKEN, 0n, erc20('transfer', SHOP, 9n)))).toBe('signed');
      expect(await sign(pay(TOKEN, 0n, erc20('transfer', THIEF, 9n)))).toMatch(/no rule allows it/);
      expect(await sign(pay(TOKEN, 0n, erc20('approve', SHOP, 9n)))).toMatch(/no rule allows it/);
      expect(await sign(permit(SHOP, '9'))).toMatch(/no rule allows it/);
    });

    it('allows typed data by its primary type and members', async () => {
      const few = { index: 1, operator: 'lessEqual', value: '5' };
      await add(allow({ addresses: [TOKEN], functionName: 'Permit', argumentConstraints: [few] }));
      expect(await sign(permit(SHOP, '5'))).toBe('signed');
      expect(await sign(permit(SHOP, '6'))).toMatch(/no rule allows it/);
    });

    it('counts amounts of tokens', async () => {
      await add(allow({ valueLimit: { asset: TOKEN, maxPerCall: '10' } }));
      expect(await sign(pay(TOKEN, 0n, erc20('transfer', THIEF, 10n)))).toBe('signed');
      expect(await sign(pay(TOKEN, 0n, erc20('approve', THIEF, 11n)))).toMatch(/exceeds the limit/);
      expect(await sign(pay(TOKEN, 1n, erc20('transfer', THIEF, 1n)))).toMatch(/no rule allows it/);
      expect(await sign(pay(SHOP, 1n))).toMatch(/no rule allows it/);
    });

    it(`lets no total be exceeded by ${AT_ONCE} signatures at once`, async () => {
      const { body } = await add(allow({ addresses: [SHOP], valueLimit: { totalLimit: '30', maxPerCall: '3' } }));
      expect(await sign(pay(SHOP, 4n))).toMatch(/exceeds the limit/);
      const signed = await Promise.all(Array.from({ length: AT_ONCE }, () => sign(pay(SHOP, 3n))));
      expect(signed.filter((one) => one === 'signed')).toHaveLength(10);
      const [total] = await rowsOf<{ total: string }>(
        test,
        'SELECT total FROM signing_policy_totals WHERE rule_id = $1',
        [body.policyContent[0]!.ruleId],
      );
      expect(total!.total).toBe('30');
      expect((await trial(pay(SHOP, 1n))).reason).toMatch(/exceeds the limit/);
    });

    it('takes nothing for a wallet that has used nothing where the total has no room for it', async () => {
      const { body } = await add(allow({ addresses: [SHOP], valueLimit: { totalLimit: '30' } }));
      const rules = test.app.get(PoliciesRepository, { strict: false });
      const { ruleId } = body.policyContent[0]!;
      const charge = (amount: bigint) =>
        test.app
          .get(UnitOfWork, { strict: false })
          .run((tx) => rules.charge(world.environmentId, wallets['EVM']!, { ruleId, amount, totalLimit: 30n }, tx));
      expect([await charge(31n), await charge(30n), await charge(1n)]).toEqual([false, true, false]);
    });
  });

  it.each(['its user', 'the team'])(
    'counts what a wallet has used when %s deletes it and it is made again',
    async (who) => {
      const key = newStamper();
      const headers = await proofOf(world, jwt);
      const own = (rest: string) => world.sdk(`/users/embeddedWallets${rest}`);
      await world.anonymous.post(
        own('/sessionKey'),
        { publicKey: key.publicKey },
        { token: jwt, headers, expect: 200 },
      );
      const signed = async (rest: string) => ({
        keyvaultSignedRequest: key.stamp((await world.anonymous.get<object>(own(rest), { token: jwt })).body),
      });
      await add(allow({ addresses: [SHOP], valueLimit: { totalLimit: '5' } }));
      expect(await sign(pay(SHOP, 4n))).toBe('signed');
      const makeAgain = async () => {
        const [before] = await addressesOf('EVM');
        if (who === 'the team') await world.api.delete(`/wallets/${wallets['EVM']}`, { expect: 204 });
        else {
          const body = await signed(`/${wallets['EVM']}/deleteRequest`);
          await world.anonymous.delete(own(''), { token: jwt, body, expect: 204 });
        }
        const body = await signed('/walletAccounts/createRequest?chain=EVM');
        await world.anonymous.post(own('/walletAccounts'), body, { token: jwt, expect: 201 });
        const [after] = await addressesOf('EVM');
        expect([after!.address, after!.id === before!.id]).toEqual([before!.address, false]);
        wallets['EVM'] = after!.id;
      };
      await makeAgain();
      expect(await sign(pay(SHOP, 2n))).toMatch(/exceeds the limit/);
      expect((await trial(pay(SHOP, 2n))).reason).toMatch(/exceeds the limit/);
      const last = await Promise.all(Array.from({ length: 5 }, () => sign(pay(SHOP, 1n))));
      expect(last.filter((one) => one === 'signed')).toHaveLength(1);
      await makeAgain();
      expect(await sign(pay(SHOP, 1n))).toMatch(/exceeds the limit/);
    },
  );

  it('with rules of the type deny alone refuses what they fit, and nothing else', async () => {
    await add(deny({ addresses: [THIEF] }));
    expect(await sign(pay(THIEF, 1n))).toBe('refused_by_signing_policy: the rule "denied" denies it');
    expect(await sign(pay(SHOP, 1n))).toBe('signed');
    expect(await sign({ kind: 'message', message: 'x' })).toBe('signed');
  });

  it('is asked of no more than the network takes: a transaction of more commands is unreadable', async () => {
    const [wallet] = await rowsOf<{ address: string }>(test, 'SELECT address FROM wallets WHERE id = $1', [
      wallets['SUI'],
    ]);
    const signs = (commands: number, to: string) =>
      sign({ kind: 'suiTransaction', transaction: givingNothing(wallet!.address, to, commands) }, 'SUI');
    await add(...Array.from({ length: 100 }, () => deny({ chain: 'SUI', addresses: [DENIED] })));
    for (const commands of [1025, 14_000]) {
      expect(await signs(commands, GIVEN)).toBe('unsignable_request: it has more than 1024 commands');
    }
    expect(await signs(1024, GIVEN)).toBe('signed');
    expect(await signs(1024, DENIED)).toBe('refused_by_signing_policy: the rule "denied" denies it');
  });

  it('is that of one environment', async () => {
    await add(deny({}));
    const other = await World.create(test);
    expect((await other.api.get(other.path('/waas/policies'))).status).toBe(404);
    const foreign = { walletId: wallets['EVM'], request: pay(SHOP, 1n) };
    expect((await other.api.post(other.path('/waas/policies/trial'), foreign)).status).toBe(404);
  });

  it('restricts operations: users do not sign, and keys are not exported', async () => {
    const { body } = await add(deny({ operationRestrictions: { blockClientSigning: true, blockExport: true } }));
    expect(await sign(pay(SHOP, 1n))).toMatch(/users do not sign/);
    expect(await sign({ kind: 'message', message: 'x' }, 'SOL')).toBe('signed');
    const open = async (chain: string) => {
      const to = world.sdk(`/waas/${wallets[chain]}/privateKey/export`);
      return world.anonymous.post<Answer>(
        to,
        { exportId: RECIPIENT },
        { token: jwt, headers: await proofOf(world, jwt) },
      );
    };
    expect(await open('EVM')).toMatchObject({ status: 422, body: { code: 'refused_by_signing_policy' } });
    const opened = await open('SOL');
    expect(opened.status).toBe(200);
    const ruleIdsToDelete = [body.policyContent[0]!.ruleId];
    await world.api.delete(path(), { body: { ruleIdsToDelete } });
    const later = (await open('EVM')).body as Answer & { roomId: string };
    await add(deny({ operationRestrictions: { blockExport: true } }));
    const fetch = world.sdk(`/users/embeddedWallets/${wallets['EVM']}/activities/${later.roomId}/export`);
    expect(await world.anonymous.get(fetch, { token: jwt })).toMatchObject({
      ...{ status: 422, body: { code: 'refused_by_signing_policy' } },
    });
    // Each refusal is a row, whichever of the two calls it met: what was asked for, by whom, and that nothing was sealed.
    const rows = await rowsOf<{ reason: string }>(
      test,
      `SELECT verdict, digest, reason, user_id AS "userId", actor->>'type' AS actor, subject FROM key_ledger
       WHERE environment_id = $1 AND operation = 'export' ORDER BY sequence`,
      [world.environmentId],
    );
    const address = expect.any(String);
    const row = {
      ...{ verdict: 'refused_by_signing_policy', digest: null, userId, actor: 'user' },
      ...{ reason: expect.stringMatching(/^recipient [0-9a-f]{64}$/) },
      ...{ subject: { walletId: wallets['EVM'], chain: 'EVM', address } },
    };
    expect(rows).toEqual([row, row]);
    expect(new Set(rows.map(({ reason }) => reason)).size).toBe(1);
  });

  it('is tried out, and explains what it would say, without a signature and without taking of a total', async () => {
    await add(
      deny({ addresses: [THIEF] }),
      allow({ name: 'shop', addresses: [SHOP], valueLimit: { totalLimit: '5' } }),
    );
    for (let times = 0; times < 3; times++) {
      const { allowed, effects } = await trial(pay(SHOP, 5n));
      expect(allowed).toBe(true);
      expect(effects).toMatchObject([
        {
          ...{ to: SHOP, value: '5', allowed: true },
          rules: [
            { rule: { ruleType: 'deny' }, fits: 'no', because: 'address' },
            { rule: { name: 'shop' }, fits: 'yes', because: 'all of it' },
          ],
        },
      ]);
    }
    const token = await trial(pay(TOKEN, 0n, erc20('transfer', THIEF, 7n)));
    expect(token).toMatchObject({ allowed: false, effects: [{ asset: TOKEN, amount: '7', allowed: false }] });
    const nested =
      '0x02f838010101018252089411111111111111111111111111111111111111110180d9d8941111111111111111111111111111111111111111c2c111';
    for (const transaction of ['0xab', nested]) {
      const unread = { walletId: wallets['EVM'], request: { kind: 'evmTransaction', transaction } };
      expect(await world.api.post(path('/trial'), unread)).toMatchObject({
        status: 422,
        body: { code: 'unsignable_request' },
      });
    }
    const used = await rowsOf(test, 'SELECT 1 FROM key_ledger WHERE environment_id = $1 AND operation = $2', [
      ...[world.environmentId, 'sign'],
    ]);
    expect(used).toEqual([]);
  });
});
