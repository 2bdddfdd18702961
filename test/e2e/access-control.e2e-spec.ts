import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { getAddress, type Address } from 'viem';
import { Clock } from '../../src/common/clock.js';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { RpcNode } from '../support/rpc-node.js';
import { customNetwork } from '../support/surface/custom-network.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

const NUMBER = 31_337;

interface Refusal {
  error: { code: string; message: string } | string;
  code: string;
  hint?: string;
  payload?: Record<string, unknown> & { additionalMessages?: string[] };
}

let test: TestApp;
let anvil: Anvil;
let node: RpcNode;
let token: Address;
let nft: Address;
let multi: Address;

beforeAll(async () => {
  anvil = await (await Anvil.start()).withMulticall();
  node = await RpcNode.before(anvil.url);
  [token, nft, multi] = [await anvil.deploy('Erc20', [6]), await anvil.deploy('Erc721'), await anvil.deploy('Erc1155')];
  test = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' } });
}, 120_000);
afterAll(async () => {
  await test.close();
  await node.close();
  await anvil.close();
});
beforeEach(() => {
  node.mood = 'well';
  node.forget();
});

/** A tenant whose organization has the chain of the test. */
async function tenant(): Promise<World> {
  const world = await World.create(test);
  const network = { ...customNetwork('gates'), chainId: String(NUMBER), rpcUrl: node.url };
  await world.owner.post(`/organizations/${world.ids.organizationId}/customNetworks`, network, { expect: 201 });
  return world;
}

const rule = (contractAddress: string, more: object = {}) => ({
  type: 'token',
  chain: 'EVM',
  address: { networkId: NUMBER, contractAddress },
  ...more,
});
const newWallet = (): Address => getAddress(`0x${randomBytes(20).toString('hex')}`);

/** Signs somebody in once and gives them a wallet that they have proven. */
async function person(
  world: World,
  address = newWallet(),
): Promise<{ email: string; userId: string; address: Address }> {
  const email = newEmail();
  const { userId } = await world.signIn(email);
  await prove(world, userId, address);
  return { email, userId, address };
}
const prove = (world: World, userId: string, address: string): Promise<void> =>
  fillRows(
    test,
    `INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, wallet_provider, verified_at)
     VALUES ($1, gen_random_uuid(), $2, 'blockchain', $3, 'EVM', $3, 'browserExtension', now())`,
    [world.environmentId, userId, address],
  );

async function gate(world: World, body: object, isEnabled = true): Promise<string> {
  const made = await world.api.post<{ id: string; enabledAt: unknown }>(world.path('/gates'), body, { expect: 201 });
  expect(made.body.enabledAt).toBeNull();
  if (isEnabled) await world.api.put(world.path(`/gates/${made.body.id}/enable`), undefined, { expect: 200 });
  return made.body.id;
}

async function allowlist(world: World, body: object, entries: object[] = []): Promise<string> {
  const made = await world.api.post<{ id: string }>(world.path('/allowlists'), body, { expect: 201 });
  for (const entry of entries) await world.api.post(`/allowlists/${made.body.id}/entries`, entry, { expect: 201 });
  await world.api.put(`/allowlists/${made.body.id}/enable`, undefined, { expect: 200 });
  return made.body.id;
}

async function tryIn(world: World, email: string): Promise<{ status: number; body: Refusal & SignedIn['body'] }> {
  const verificationUUID = await world.sendCode(email);
  return world.anonymous.post<Refusal & SignedIn['body']>(world.sdk('/emailVerifications/signin'), {
    verificationUUID,
    verificationToken: world.code(email),
  });
}
const scopesIn = (body: SignedIn['body']): string[] => String(body.user['scope']).split(' ');

async function refused(world: World, body: object): Promise<{ code: string; about: string }> {
  const answer = await world.api.post<Refusal>(world.path('/gates'), body, { expect: 422 });
  return { code: answer.body.code, about: answer.body.payload?.additionalMessages?.join('; ') ?? '' };
}

describe('a gate', () => {
  it('is created disabled, changed without being enabled or disabled, and deleted', async () => {
    const world = await tenant();
    const id = await gate(world, {
      name: 'Holders',
      outcome: 'scope',
      scope: 'holder',
      rules: [rule(token.toLowerCase())],
    });
    const path = world.path(`/gates/${id}`);
    const before = await world.api.get<{ enabledAt: string; rules: { address: object }[] }>(path, { expect: 200 });
    expect(before.body.enabledAt).not.toBeNull();
    expect(before.body.rules[0]!.address).toEqual({ networkId: NUMBER, contractAddress: token });
    const renamed = await world.api.put<object>(path, { name: 'Whales' }, { expect: 200 });
    expect(renamed.body).toEqual({ ...before.body, name: 'Whales' });
    for (const same of [{}, { name: 'Whales', scope: 'holder', rules: [rule(token)] }]) {
      expect((await world.api.put<object>(path, same, { expect: 200 })).body).toEqual(renamed.body);
    }
    expect(await auditOf(test, world.ids.organizationId, { action: 'gate.updated' })).toHaveLength(1);
    await world.api.put(`${path}/disable`, undefined, { expect: 200 });
    const again = await world.api.put<object>(path, { scope: 'whale' }, { expect: 200 });
    expect(again.body).toMatchObject({ enabledAt: null, scope: 'whale' });
    const all = { name: 'All', outcome: 'scope', scope: 'all', rules: [rule(nft, { type: 'nft' })] };
    expect((await world.api.put<object>(path, all, { expect: 200 })).body).toMatchObject(all);
    await world.api.delete(path, { expect: 204 });
    await world.api.put(path, all, { expect: 404 });
    expect((await world.api.get(world.path('/gates'), { expect: 200 })).body).toEqual({ gates: [] });
  });

  it.each([
    ['a checksum that is wrong', () => [rule(flipped(token))], 'rules[0].address.contractAddress'],
    ['an address that is none', () => [rule('0x12')], 'rules[0].address.contractAddress'],
    [
      'a token id with letters',
      () => [rule(nft, { type: 'nft', filter: { tokenId: '12x' } })],
      'rules[0].filter.tokenId',
    ],
    [
      'a token id of 79 digits',
      () => [rule(nft, { type: 'nft', filter: { tokenId: '9'.repeat(79) } })],
      'filter.tokenId',
    ],
    [
      'a token id above 256 bits',
      () => [rule(nft, { type: 'nft', filter: { tokenId: '9'.repeat(78) } })],
      'filter.tokenId',
    ],
    ['an amount of nothing', () => [rule(token, { filter: { amount: 0 } })], 'rules[0].filter.amount'],
    ['half an NFT', () => [rule(nft, { type: 'nft', filter: { amount: 0.5 } })], 'rules[0].filter.amount'],
    [
      'an unknown network',
      () => [{ ...rule(token), address: { networkId: 999_999, contractAddress: token } }],
      'networkId',
    ],
    ['no rules', () => [], 'rules'],
    ['21 rules', () => Array.from({ length: 21 }, () => rule(token)), 'rules'],
    ['the second rule of two', () => [rule(token), rule('0x1')], 'rules[1].'],
  ])('with %s is refused with a reason', async (_, rules, about) => {
    const world = await tenant();
    const answer = await refused(world, { name: 'x', outcome: 'block', rules: rules() });
    expect(answer).toMatchObject({ code: 'invalid_gate', about: expect.stringContaining(about) });
    expect((await world.api.get(world.path('/gates'), { expect: 200 })).body).toEqual({ gates: [] });
  });

  it.each([
    'requiresAdditionalAuth',
    'user:basic',
    'environment.users.read',
    'device:register',
    'console:user:delete',
    'Wallet:Sign',
    'a b',
    '',
    'x'.repeat(65),
  ])('never hands out the scope %p', async (scope) => {
    const world = await tenant();
    const answer = await refused(world, { name: 'x', outcome: 'scope', scope, rules: [rule(token)] });
    expect(answer).toMatchObject({ code: 'invalid_gate', about: expect.stringContaining('scope') });
    const body = { name: 'x', outcome: 'scope', ...(scope !== '' && { scope }) };
    await world.api.post(world.path('/allowlists'), body, { expect: 422 });
  });

  it('about NFTs on a chain without any is refused with a code of its own', async () => {
    const world = await tenant();
    const bitcoin = { type: 'nft', chain: 'BTC', address: { networkId: 1, contractAddress: 'bc1qtest' } };
    expect((await refused(world, { name: 'x', outcome: 'block', rules: [bitcoin] })).code).toBe(
      'nft_token_gating_not_supported_for_chain',
    );
  });

  it('with a taken name is refused, and of fifty created concurrently one succeeds', async () => {
    const world = await tenant();
    const body = { name: 'one', outcome: 'block', rules: [rule(token)] };
    const all = await Promise.all(
      Array.from({ length: 50 }, () => world.api.post<Refusal>(world.path('/gates'), body)),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ body: { code } }) => code === 'gate_exists')).toHaveLength(49);
  });

  it('adds up the holdings of all verified wallets, in whole tokens far above 2^53', async () => {
    const world = await tenant();
    const ann = await person(world);
    const second = newWallet();
    await prove(world, ann.userId, second);
    const half = 5n * 10n ** 30n;
    await anvil.send('Erc20', token, 'set', [ann.address, half]);
    await anvil.send('Erc20', token, 'set', [second, half - 1n]);
    const id = await gate(world, {
      name: 'x',
      outcome: 'scope',
      scope: 'rich',
      rules: [rule(token, { filter: { amount: 1e25 } })],
    });
    const trial = (path: string) =>
      world.api.get<{ verdict: string; rules: Record<string, unknown>[] }>(path, { expect: 200 });
    const path = world.path(`/gates/${id}/trial?userId=${ann.userId}`);
    const short = await trial(path);
    expect(short.body).toMatchObject({ verdict: 'notMet' });
    expect(short.body.rules[0]).toMatchObject({
      ...{
        verdict: 'notMet',
        threshold: String(10n ** 31n),
        total: String(10n ** 31n - 1n),
        decimals: 6,
        ageSeconds: 0,
      },
      blockNumber: expect.stringMatching(/^\d+$/),
      holdings: [
        { address: ann.address, amount: String(half) },
        { address: second, amount: String(half - 1n) },
      ],
    });
    const third = newWallet();
    await prove(world, ann.userId, third);
    await anvil.send('Erc20', token, 'set', [third, 1n]);
    expect((await trial(path)).body).toMatchObject({ verdict: 'met' });
    expect(scopesIn((await tryIn(world, ann.email)).body)).toContain('rich');
  });

  it('is not met by base units if a contract does not report its decimals', async () => {
    const world = await tenant();
    const owner = newWallet();
    await anvil.send('Erc721', nft, 'give', [owner, 900n]);
    const trialOf = async (filter?: object): Promise<object> => {
      const body = { name: randomBytes(6).toString('hex'), outcome: 'block', rules: [rule(nft, { filter })] };
      const id = await gate(world, body, false);
      const path = world.path(`/gates/${id}/trial?address=${owner}`);
      return (await world.api.get<{ rules: object[] }>(path, { expect: 200 })).body.rules[0]!;
    };
    const reason: unknown = expect.stringContaining('decimals');
    expect(await trialOf({ amount: 1 })).toMatchObject({ verdict: 'notMet', total: '1', reason });
    expect(await trialOf()).toMatchObject({ verdict: 'met', total: '1' });
  });

  it('knows ERC-721 and ERC-1155 by owner and by id, and the native coin', async () => {
    const world = await tenant();
    const owner = newWallet();
    await anvil.send('Erc721', nft, 'give', [owner, 7n]);
    await anvil.send('Erc1155', multi, 'set', [owner, 3n, 2n]);
    await anvil.setBalance(owner, 10n ** 18n);
    const native = '0x0000000000000000000000000000000000000000';
    const verdicts = async (rules: object[]): Promise<string> => {
      const id = await gate(world, { name: randomBytes(6).toString('hex'), outcome: 'block', rules }, false);
      const { body } = await world.api.get<{ verdict: string }>(world.path(`/gates/${id}/trial?address=${owner}`));
      return body.verdict;
    };
    const nftRule = (at: string, filter: object) => rule(at, { type: 'nft', filter });
    expect(await verdicts([nftRule(nft, {}), nftRule(nft, { tokenId: '7' }), nftRule(nft, { tokenId: '0x7' })])).toBe(
      'met',
    );
    expect(await verdicts([nftRule(nft, { tokenId: '8' })])).toBe('notMet');
    expect(await verdicts([nftRule(nft, { amount: 2 })])).toBe('notMet');
    expect(await verdicts([nftRule(multi, { tokenId: '3', amount: 2 })])).toBe('met');
    expect(await verdicts([nftRule(multi, { tokenId: '3', amount: 3 })])).toBe('notMet');
    expect(await verdicts([rule(native, { filter: { amount: 1 } })])).toBe('met');
    expect(await verdicts([rule(native, { filter: { amount: 1.000000001 } })])).toBe('notMet');
    expect(await verdicts([nftRule(nft, {}), rule(native, { filter: { amount: 2 } })])).toBe('notMet');
    expect(await verdicts([rule(owner)])).toBe('notMet');
  });
});

describe('at sign-in and refresh', () => {
  it('one of several siteAccess rules is enough, and every block rule must match', async () => {
    const world = await tenant();
    const [ann, bob] = [await person(world), await person(world)];
    await anvil.send('Erc721', nft, 'give', [ann.address, 100n]);
    await gate(world, { name: 'nft', outcome: 'siteAccess', scope: 'nft', rules: [rule(nft, { type: 'nft' })] });
    await allowlist(world, { name: 'Friends', outcome: 'siteAccess' }, [{ email: bob.email.toUpperCase() }]);
    expect(scopesIn((await tryIn(world, ann.email)).body)).toContain('nft');
    const listed = await tryIn(world, bob.email);
    expect(listed.body.user['lists']).toEqual(['Friends']);
    const ownLists = async (token: string | undefined) =>
      (await world.anonymous.get<{ lists: string[] }>(world.sdk('/users'), { token: token!, expect: 200 })).body.lists;
    expect(await ownLists(listed.body.jwt)).toEqual(['Friends']);
    expect(await ownLists((await tryIn(world, ann.email)).body.jwt)).toEqual([]);
    expect(scopesIn(listed.body)).toEqual(['user:basic']);
    const stranger = await tryIn(world, newEmail());
    expect(stranger.status).toBe(403);
    expect(stranger.body.error).toMatchObject({ code: 'access_denied' });
    expect(stranger.body.hint).toMatch(/^To come in, be on the list.* or hold|^To come in, hold .*, or be on the list/);
    expect(JSON.stringify(stranger.body)).not.toContain('Friends');

    await gate(world, {
      name: 'must',
      outcome: 'block',
      rules: [rule(multi, { type: 'nft', filter: { tokenId: '55' } })],
    });
    expect((await tryIn(world, ann.email)).status).toBe(403);
    await anvil.send('Erc1155', multi, 'set', [ann.address, 55n, 1n]);
    ahead(61);
    expect((await tryIn(world, ann.email)).status).toBe(200);
  });

  it('a refused new user is not stored, and the code still works once the gate is disabled', async () => {
    const world = await tenant();
    const id = await gate(world, { name: 'must', outcome: 'block', rules: [rule(token)] });
    const email = newEmail();
    const verificationUUID = await world.sendCode(email);
    const attempt = { verificationUUID, verificationToken: world.code(email) };
    const path = world.sdk('/emailVerifications/signin');
    await world.anonymous.post(path, attempt, { expect: 403 });
    const users = await rowsOf(test, 'SELECT id FROM users WHERE environment_id = $1', [world.environmentId]);
    expect(users).toEqual([]);
    await world.api.put(world.path(`/gates/${id}/disable`), undefined, { expect: 200 });
    await world.anonymous.post(path, attempt, { expect: 200 });
  });

  it('a scope follows what a wallet holds, within a minute', async () => {
    const world = await tenant();
    const ann = await person(world);
    await anvil.send('Erc20', token, 'set', [ann.address, 10n ** 6n]);
    await gate(world, {
      name: 'x',
      outcome: 'scope',
      scope: 'holder',
      rules: [rule(token, { filter: { amount: 1 } })],
    });
    const first = await world.signIn(ann.email);
    expect(scopesIn(first.body)).toContain('holder');
    await anvil.send('Erc20', token, 'set', [ann.address, 0n]);
    ahead(61);
    const refresh = await world.anonymous
      .withToken(first.jwt)
      .post<SignedIn['body']>(world.sdk('/refresh'), undefined, { expect: 200 });
    expect(scopesIn(refresh.body)).not.toContain('holder');
  });

  it('what the chain has said about a token does not grow too old while a holder signs in', async () => {
    const world = await tenant();
    const [ann, bob] = [await person(world), await person(world)];
    for (const { address } of [ann, bob]) await anvil.send('Erc20', token, 'set', [address, 10n ** 9n]);
    await gate(world, { name: 'must', outcome: 'block', rules: [rule(token, { filter: { amount: 1 } })] });
    ahead(61);
    const clock = test.app.get(Clock);
    const start = clock.timestamp();
    clock.timestamp = () => start;
    expect((await tryIn(world, ann.email)).status).toBe(200);
    node.forget();
    clock.timestamp = () => start + (node.count('eth_call') > 0 ? 60_100 : 59_900);
    const answer = await tryIn(world, bob.email);
    ahead(61);
    expect(answer.status).toBe(200);
  });

  it.each(['down', 'garbage', 'oversize', 'rate-limited', 'fault', 'wrong-id'] as const)(
    'a node that is %s admits nobody and grants no scope',
    async (mood) => {
      const world = await tenant();
      const ann = await person(world);
      await anvil.send('Erc20', token, 'set', [ann.address, 10n ** 9n]);
      const rules = [rule(token)];
      const scope = await gate(world, { name: 'scope', outcome: 'scope', scope: 'holder', rules });
      node.mood = mood;
      ahead(61);
      expect(scopesIn((await tryIn(world, ann.email)).body)).toEqual(['user:basic']);
      for (const outcome of ['siteAccess', 'block']) {
        await world.api.put(world.path(`/gates/${scope}`), { outcome }, { expect: 200 });
        const answer = await tryIn(world, ann.email);
        expect([answer.status, answer.body.code]).toEqual([403, 'access_undecided']);
      }
      node.mood = 'well';
      ahead(11);
      expect((await tryIn(world, ann.email)).status).toBe(200);
    },
  );

  it('fifty concurrent sign-ins with a cold cache call the chain once', async () => {
    const world = await tenant();
    const ann = await person(world);
    await anvil.send('Erc20', token, 'set', [ann.address, 10n ** 9n]);
    for (const [at, contract] of [token, nft, multi].entries()) {
      const filter = contract === multi ? { filter: { tokenId: '1' } } : {};
      const rules = [rule(contract, { type: contract === token ? 'token' : 'nft', ...filter })];
      await gate(world, { name: `g${at}`, outcome: 'scope', scope: `s${at}`, rules });
    }
    const first = await world.signIn(ann.email);
    ahead(61);
    await world.api.get(world.path('/gates'));
    node.forget();
    const bearer = world.anonymous.withToken(first.jwt);
    await Promise.all(Array.from({ length: 50 }, () => bearer.post(world.sdk('/refresh'), undefined, { expect: 200 })));
    expect(node.count('eth_call')).toBe(1);
  });

  it.each(['browserExtension', 'embeddedWallet'])(
    'a wallet (%s) only asserted by an API call grants no access',
    async (walletProvider) => {
      const world = await tenant();
      const address = newWallet();
      await anvil.send('Erc20', token, 'set', [address, 10n ** 9n]);
      const email = newEmail();
      const wallet = { publicWalletAddress: address, chain: 'EVM', walletName: 't', walletProvider };
      await world.api.post(world.path('/users'), { email, alias: 'vip', wallets: [wallet] }, { expect: 201 });
      await gate(world, { name: 'must', outcome: 'siteAccess', rules: [rule(token)] });
      await allowlist(world, { name: 'wallets', outcome: 'siteAccess' }, [{ walletPublicKey: address, alias: 'vip' }]);
      expect((await tryIn(world, email)).status).toBe(403);
    },
  );
});

const flipped = (address: string): string => {
  const at = [...address].findIndex((letter, index) => index > 1 && /[a-f]/i.test(letter));
  const letter = address[at]!;
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return `${address.slice(0, at)}${other}${address.slice(at + 1)}`;
};

/** Moves what the service takes for the time in memory. */
let offset = 0;
function ahead(seconds: number): void {
  offset += seconds * 1000;
  const clock = test.app.get(Clock);
  clock.timestamp = () => Date.now() + offset;
}
