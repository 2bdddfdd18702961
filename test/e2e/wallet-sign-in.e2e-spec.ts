import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, base64 } from '@scure/base';
import { createKeyPairSignerFromPrivateKeyBytes, createSignableMessage } from '@solana/kit';
import { payments } from 'bitcoinjs-lib';
import { decodeJwt } from 'jose';
import { randomBytes } from 'node:crypto';
import { CHAINS } from '../../src/identity/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newSigner } from '../support/chain-signers.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { addSecondRecord } from '../support/second-record.js';
import { countStatements } from '../support/statements.js';
import {
  addSite,
  claimOf,
  enableChains,
  keySignIn,
  messageOf,
  newKey,
  newNonce,
  SITE,
  type MessageParts,
} from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

interface Answer {
  jwt: string;
  user: { id: string; verifiedCredentials: Record<string, unknown>[] };
  error?: string;
  code?: string;
  hint?: string;
}

const ENABLED = { EVM: [1, 11_155_111], SOL: [101], BTC: [], SUI: [] };

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await addSite(world);
  await enableChains(world, ENABLED);
});
afterAll(() => test.close());

const signIn = (body: object, headers: Record<string, string> = {}, path = '/verify') =>
  world.anonymous.post<Answer>(world.sdk(path), body, { headers });

async function walletsOf({ body }: { body: Answer }): Promise<Record<string, unknown>[]> {
  const path = `/users/${body.user.id}`;
  const found = await world.api.get<{ user: { wallets: Record<string, unknown>[] } }>(path, { expect: 200 });
  return found.body.user.wallets;
}

async function refusalOf(body: object, headers?: Record<string, string>) {
  const answer = await signIn(body, headers);
  expect(answer.headers.get('set-cookie')).toBeNull();
  return { status: answer.status, code: answer.body.code, hint: answer.body.hint };
}

const sessionsAt = (address: string): Promise<object[]> =>
  rowsOf(
    test,
    `SELECT s.id FROM sessions s JOIN credentials c ON c.environment_id = s.environment_id AND c.user_id = s.user_id
     WHERE c.environment_id = $1 AND lower(c.address) = lower($2)`,
    [world.environmentId, address],
  );

describe('a sign-in by a key of EVM', () => {
  it('creates the user of a new address, and knows them the next time, by both paths', async () => {
    const key = newKey();
    const first = await signIn(await keySignIn(world, key));
    expect([first.status, first.body.code]).toEqual([200, undefined]);
    expect(first.body.user.verifiedCredentials).toEqual([
      expect.objectContaining({
        format: 'blockchain',
        address: key.address,
        chain: 'eip155',
        wallet_name: 'metamask',
        wallet_provider: 'browserExtension',
        signInEnabled: true,
        verifiedAt: expect.any(String),
      }),
    ]);
    const claims = decodeJwt(first.body.jwt);
    expect(claims).toMatchObject({ amr: ['pop'], sub: first.body.user.id });
    expect(claims['verified_credentials']).toEqual([expect.objectContaining({ chain: 'eip155' })]);
    const body = { ...(await keySignIn(world, key)), chain: 'ETH', publicWalletAddress: key.address.toLowerCase() };
    const second = await signIn(body, { origin: SITE }, '/wallets/signin');
    expect([second.status, second.body.user?.id]).toEqual([200, first.body.user.id]);
    expect(second.body.user.verifiedCredentials).toHaveLength(1);
    expect(decodeJwt(second.body.jwt).aud).toBe(SITE);
    const events = await eventsOf(test, world.environmentId, first.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('is a wallet of its user from then on, once, and told of once', async () => {
    const key = newKey();
    const first = await signIn(await keySignIn(world, key));
    const wallets = await walletsOf(first);
    expect(wallets).toEqual([
      expect.objectContaining({ publicKey: key.address, chain: 'EVM', name: 'metamask', provider: 'browserExtension' }),
    ]);
    const again = await signIn({ ...(await keySignIn(world, key)), chain: 'ETH' });
    expect(await walletsOf(again)).toHaveLength(1);
    expect(again.body.user.verifiedCredentials).toHaveLength(1);
    const [wallet] = wallets;
    const events = await eventsOf(test, world.environmentId);
    const linked = events.filter(({ name, resourceId }) => name === 'wallet.linked' && resourceId === wallet!['id']);
    expect(linked).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ userId: first.body.user.id }) }),
    ]);
  });

  it('is shown with the application that signed last, whoever named the first one', async () => {
    const key = newKey();
    const payment = { address: 'bc1qexample', type: 'payment', publicKey: '02ab' };
    const said = { publicWalletAddress: key.address, chain: 'EVM', walletName: 'said', walletProvider: 'qrCode' };
    await world.api.post(world.path('/users'), { wallets: [said] }, { expect: 201 });
    const shown = async (more: object) => {
      const answer = await signIn({ ...(await keySignIn(world, key)), ...more });
      const [{ wallet_name: name, wallet_provider: provider, wallet_additional_addresses: others }] = answer.body.user
        .verifiedCredentials as [Record<string, unknown>];
      const claims = decodeJwt(answer.body.jwt)['verified_credentials'] as Record<string, unknown>[];
      expect(claims[0]).toMatchObject({ wallet_name: name, wallet_provider: provider });
      const [wallet] = await walletsOf(answer);
      expect(wallet).toMatchObject({ name, provider });
      const path = `/users/${answer.body.user.id}`;
      const { body } = await world.api.get<{ user: Answer['user'] }>(path, { expect: 200 });
      const stored = { wallet_name: name, wallet_provider: provider, wallet_additional_addresses: others };
      expect(body.user.verifiedCredentials[0]).toMatchObject(stored);
      return [name, provider, others];
    };
    expect(await shown({})).toEqual(['metamask', 'browserExtension', []]);
    const other = { walletName: 'rabby', walletProvider: 'walletConnect' };
    expect(await shown({ ...other, additionalWalletAddresses: [payment] })).toEqual([
      ...Object.values(other),
      [payment],
    ]);
    // Left out, they are as they were.
    expect(await shown(other)).toEqual([...Object.values(other), [payment]]);
    expect(await shown({ ...other, additionalWalletAddresses: [] })).toEqual([...Object.values(other), []]);
  });

  it('links wallets to who is signed in, fifty times at once as once', async () => {
    const { jwt: token, userId } = await world.signIn(newEmail());
    const key = newKey();
    const bodies = await Promise.all(Array.from({ length: 50 }, () => keySignIn(world, key)));
    const path = world.sdk('/wallets/verify');
    const answers = await Promise.all(bodies.map((body) => world.anonymous.post<Answer>(path, body, { token })));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const wallets = 'SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2';
    expect(await rowsOf(test, wallets, [world.environmentId, userId])).toHaveLength(1);
    const events = await eventsOf(test, world.environmentId);
    expect(events.filter(({ name, data }) => name === 'wallet.linked' && data['userId'] === userId)).toHaveLength(1);
  });

  it('signs nobody in to a user whose wallet was deleted', async () => {
    const key = newKey();
    const first = await signIn(await keySignIn(world, key));
    await world.api.delete(`/wallets/${String((await walletsOf(first))[0]!['id'])}`, { expect: 204 });
    const second = await signIn(await keySignIn(world, key));
    expect(second.status).toBe(200);
    expect(second.body.user.id).not.toBe(first.body.user.id);
  });

  it('stays the way in of whoever has proven it when a second record of the wallet is deleted', async () => {
    const key = newKey();
    const said = {
      ...{ publicWalletAddress: key.address, chain: 'EVM' },
      ...{ walletName: 'a wallet', walletProvider: 'browserExtension' },
    };
    const [users, wallets] = [world.path('/users'), [said]];
    const made = await world.api.post<{ user: { id: string } }>(users, { wallets }, { expect: 201 });
    await addSecondRecord(test, world.environmentId, made.body.user.id);
    const first = await signIn(await keySignIn(world, key));
    expect(first.body.user.id).toBe(made.body.user.id);
    const [, second] = await walletsOf(first);
    await world.api.delete(`/wallets/${String(second!['id'])}`, { expect: 204 });
    // What one user has proven, no later word of an API call puts in doubt.
    await world.api.post(users, { wallets }, { expect: 201 });
    const again = await signIn(await keySignIn(world, key));
    expect([again.status, again.body.user?.id]).toEqual([200, made.body.user.id]);
  });

  it('that happens fifty times at once makes one user and one user.created event', async () => {
    const key = newKey();
    const bodies = await Promise.all(Array.from({ length: 50 }, () => keySignIn(world, key)));
    const answers = await Promise.all(bodies.map((body) => signIn(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    const events = await eventsOf(test, world.environmentId, answers[0]!.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
    expect(await sessionsAt(key.address)).toHaveLength(50);
  });

  it('works once with a message, of a hundred times at once', async () => {
    const key = newKey();
    const body = await keySignIn(world, key);
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200).map((answer) => [answer.status, answer.body.code]);
    expect(others).toEqual(Array(99).fill([422, 'invalid_nonce']));
    expect(await sessionsAt(key.address)).toHaveLength(1);
  });

  it('takes a known number of statements, whatever the proof', async () => {
    const key = newKey();
    await signIn(await keySignIn(world, key));
    // What is remembered for a second is read again now and then: the least of three.
    const runs: string[][] = [];
    for (let n = 0; n < 3; n += 1) {
      const body = await keySignIn(world, key);
      const { result, sent } = await countStatements(() => signIn(body));
      expect(result.status).toBe(200);
      runs.push(sent.map(({ name, text }) => name || text));
    }
    const [own] = runs.sort((a, b) => a.length - b.length) as [string[]];
    const known = await statementsOfEmail();
    expect(own.filter((name) => /nonces\./.test(name))).toEqual(['nonces.take']);
    const [noted, ...others] = own.filter((name) => name === 'walletMoves.updateConnected');
    expect([noted, others]).toEqual(['walletMoves.updateConnected', []]);
    // Beside them it notes when the wallet was connected, which nobody waits for.
    expect(own.length - 1).toBeLessThanOrEqual(known);
  });

  it('gives a fresh proof where one is asked for', async () => {
    const body = { ...(await keySignIn(world)), requestedScopes: ['wallet:export'] };
    expect((await signIn(body)).body).toMatchObject({ elevatedAccessToken: expect.any(String) });
  });
});

/** A sign-in by code for a known user, which no sign-in by wallet may exceed. */
async function statementsOfEmail(): Promise<number> {
  const { email } = await world.signIn(newEmail());
  const verificationUUID = await world.sendCode(email);
  const body = { verificationUUID, verificationToken: world.code(email) };
  const { statements } = await countStatements(() => signIn(body, {}, '/emailVerifications/signin'));
  return statements.length;
}

describe('a message that is signed', () => {
  const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);

  /** What depends on the time is made when its test runs: the one before may have taken long. */
  it.each<[string, Partial<MessageParts> | (() => Partial<MessageParts>), string]>([
    [
      'for a domain that is not registered',
      { domain: 'evil.example', uri: 'https://evil.example' },
      'invalid_sign_in_message',
    ],
    [
      'for a domain below a registered one',
      { domain: 'x.app.example.com', uri: 'https://x.app.example.com' },
      'invalid_sign_in_message',
    ],
    [
      'for a domain that ends like a registered one',
      { domain: 'evilapp.example.com', uri: 'https://evilapp.example.com' },
      'invalid_sign_in_message',
    ],
    ['for a domain in plain http', { uri: 'http://app.example.com' }, 'invalid_sign_in_message'],
    [
      'for another port',
      { domain: 'app.example.com:8443', uri: 'https://app.example.com:8443' },
      'invalid_sign_in_message',
    ],
    ['with the URI of another site', { uri: 'https://evil.example' }, 'invalid_sign_in_message'],
    ['with the domain of another site', { domain: 'evil.example' }, 'invalid_sign_in_message'],
    ['with a user in its URI', { uri: 'https://app.example.com@evil.example' }, 'invalid_sign_in_message'],
    ['of version 2', { version: '2' }, 'invalid_sign_in_message'],
    ['without its network', { chainId: null }, 'invalid_sign_in_message'],
    ['of a network that is not enabled', { chainId: '137' }, 'chain_not_enabled'],
    ['of a network that is written otherwise', { chainId: '0x1' }, 'chain_not_enabled'],
    ['of a network with a leading zero', { chainId: '01' }, 'chain_not_enabled'],
    ['of an account of Solana', { account: 'Solana' }, 'invalid_sign_in_message'],
    ['issued eleven minutes ago', () => ({ issuedAt: minutes(-11) }), 'invalid_sign_in_message'],
    ['issued in the future', () => ({ issuedAt: minutes(2) }), 'invalid_sign_in_message'],
    ['that has expired', () => ({ issuedAt: minutes(-2), expirationTime: minutes(-1) }), 'invalid_sign_in_message'],
    ['that is not good yet', () => ({ notBefore: minutes(1) }), 'invalid_sign_in_message'],
    ['with a nonce that nobody issued', { nonce: randomBytes(16).toString('hex') }, 'invalid_nonce'],
    ['with a nonce that is short', { nonce: 'abc' }, 'invalid_sign_in_message'],
    ['of another address', { address: newKey().address }, 'invalid_sign_in_message'],
  ])('%s opens no session', async (_, parts, code) => {
    const key = newKey();
    const wrong = typeof parts === 'function' ? parts() : parts;
    const text = messageOf({ address: key.address, nonce: await newNonce(world), ...wrong });
    const body = claimOf(key.address, text, await key.signMessage({ message: text }));
    expect(await refusalOf(body)).toMatchObject({ status: 422, code });
    expect(await sessionsAt(key.address)).toEqual([]);
    // The same with nothing wrong in it is good.
    const good = messageOf({ address: key.address, nonce: await newNonce(world) });
    const right = claimOf(key.address, good, await key.signMessage({ message: good }));
    expect((await signIn(right)).status).toBe(200);
  });

  it.each(['', '0x', 'zz', '0x0', `0x${'0'.repeat(131)}`, 'AAAA'])(
    'with the signature %p opens no session',
    async (signature) => {
      const key = newKey();
      const text = messageOf({ address: key.address, nonce: await newNonce(world) });
      const refusal = await refusalOf(claimOf(key.address, text, signature));
      expect(refusal).toMatchObject({ status: 422, code: 'invalid_wallet_signature' });
      expect(await sessionsAt(key.address)).toEqual([]);
    },
  );

  it('is refused to a page of another site', async () => {
    const body = await keySignIn(world);
    expect(await refusalOf(body, { origin: 'https://evil.example' })).toMatchObject({
      code: 'invalid_sign_in_message',
    });
    expect((await signIn(body, { origin: SITE })).status).toBe(200);
  });

  it('is of no use in another environment', async () => {
    const other = await World.create(test);
    await addSite(other);
    const answer = await other.anonymous.post<Answer>(other.sdk('/verify'), await keySignIn(world));
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_nonce']);
  });

  it('is of no use when its nonce is older than five minutes', async () => {
    const body = await keySignIn(world);
    await rowsOf(test, `UPDATE nonces SET expires_at = now() - interval '1 second' WHERE environment_id = $1`, [
      world.environmentId,
    ]);
    expect(await refusalOf(body)).toMatchObject({ status: 422, code: 'invalid_nonce' });
  });

  it('must name the network of the request', async () => {
    const body = await keySignIn(world);
    expect(await refusalOf({ ...body, network: '1' })).toMatchObject({ status: 422, code: 'invalid_sign_in_message' });
    expect((await signIn({ ...body, network: '11155111' })).status).toBe(200);
  });

  it('is not looked at for an address that is none', async () => {
    const body = await keySignIn(world);
    const wrongChecksum = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    for (const publicWalletAddress of [wrongChecksum, '0x1', 'abc', `${String(body['publicWalletAddress'])} `])
      expect(await refusalOf({ ...body, publicWalletAddress })).toMatchObject({ code: 'invalid_wallet_address' });
  });

  it('says where it should be mended', async () => {
    const key = newKey();
    const text = messageOf({
      address: key.address,
      nonce: await newNonce(world),
      domain: 'evil.example',
      uri: 'https://evil.example',
    });
    const { hint } = await refusalOf(claimOf(key.address, text, await key.signMessage({ message: text })));
    expect(hint).toBe('The domain is not a registered origin of the environment.');
  });
});

describe('a wallet of another chain', () => {
  const KEYS: Record<
    'SOL' | 'SUI' | 'BTC',
    () => Promise<{ address: string; sign: (text: string) => Promise<string> }>
  > = {
    SOL: async () => {
      const signer = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32));
      const sign = async (text: string) => {
        const [signatures] = await signer.signMessages([createSignableMessage(text)]);
        return base58.encode(signatures![signer.address]!);
      };
      return { address: signer.address, sign };
    },
    SUI: async () => {
      const key = new Ed25519Keypair();
      return {
        address: key.toSuiAddress(),
        sign: async (text) => (await key.signPersonalMessage(Buffer.from(text))).signature,
      };
    },
    BTC: async () => {
      const key = secp256k1.utils.randomSecretKey();
      const { address } = payments.p2wpkh({ pubkey: secp256k1.getPublicKey(key) });
      return { address: address!, sign: async (text) => recoverable(key, text) };
    },
  };
  const ACCOUNTS = {
    SOL: ['Solana', 'mainnet', 'solana'],
    SUI: ['Sui', null, 'sui'],
    BTC: ['Bitcoin', 'mainnet', 'bip122'],
  } as const;

  it.each(['SOL', 'SUI', 'BTC'] as const)('signs in: %s', async (chain) => {
    const { address, sign } = await KEYS[chain]();
    const [account, chainId, namespace] = ACCOUNTS[chain];
    const text = async () => messageOf({ account, chainId, address, nonce: await newNonce(world) });
    const good = await text();
    const first = await signIn(claimOf(address, good, await sign(good), chain));
    expect([first.status, first.body.code]).toEqual([200, undefined]);
    expect(first.body.user.verifiedCredentials).toEqual([expect.objectContaining({ address, chain: namespace })]);
    const other = await text();
    expect(await refusalOf(claimOf(address, other, await sign(`${other}.`), chain))).toMatchObject({
      status: 422,
      code: 'invalid_wallet_signature',
    });
    // It failed before the nonce was used, so the right signature still counts, and knows the user.
    const second = await signIn(claimOf(address, other, await sign(other), chain));
    expect([second.status, second.body.user?.id]).toEqual([200, first.body.user.id]);
  });

  it.each(['ALGO', 'APTOS', 'COSMOS', 'TRON'] as const)('signs in: %s', async (chain) => {
    await enableChains(world, { ...ENABLED, [chain]: [] });
    const { account, address, sign } = newSigner(chain);
    const text = async () => messageOf({ account, chainId: null, address, nonce: await newNonce(world) });
    const [good, other] = [await text(), await text()];
    const first = await signIn(claimOf(address, good, sign(good), chain));
    expect([first.status, first.body.code]).toEqual([200, undefined]);
    const wrong = { status: 422, code: 'invalid_wallet_signature' };
    expect(await refusalOf(claimOf(address, other, sign(`${other}.`), chain))).toMatchObject(wrong);
    const second = await signIn(claimOf(address, other, sign(other), chain));
    expect([second.status, second.body.user?.id]).toEqual([200, first.body.user.id]);
  });

  const CHECKED = ['EVM', 'ETH', 'SOL', 'SUI', 'BTC', 'ALGO', 'APTOS', 'COSMOS', 'TRON'];
  it.each(CHAINS.values.filter((chain) => !CHECKED.includes(chain)))(
    'that the service cannot check never signs in: %s',
    async (chain) => {
      await enableChains(world, { ...ENABLED, [chain]: [] });
      const body = { ...(await keySignIn(world)), chain };
      expect(await refusalOf(body)).toMatchObject({ status: 422, code: 'chain_not_supported' });
    },
  );

  it('that the environment has switched off never signs in', async () => {
    const closed = await World.create(test);
    await addSite(closed);
    await enableChains(closed, { EVM: [11_155_111] });
    const { address, sign } = await KEYS.SOL();
    const text = messageOf({ account: 'Solana', chainId: null, address, nonce: await newNonce(closed) });
    const answer = await closed.anonymous.post<Answer>(
      closed.sdk('/verify'),
      claimOf(address, text, await sign(text), 'SOL'),
    );
    expect([answer.status, answer.body.code]).toEqual([422, 'chain_not_enabled']);
  });
});

/** BIP-137. */
function recoverable(key: Uint8Array, text: string): string {
  const length = Buffer.from(text).length;
  const size = length < 0xfd ? Buffer.of(length) : Buffer.from([0xfd, length & 0xff, length >> 8]);
  const hash = sha256(sha256(Buffer.concat([Buffer.from('\x18Bitcoin Signed Message:\n'), size, Buffer.from(text)])));
  const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  return base64.encode(Buffer.concat([Buffer.of(39 + signature[0]!), signature.subarray(1)]));
}

describe('the wallet that was connected last', () => {
  interface Shown {
    walletPublicKey?: string;
    verifiedCredentials: { address?: string; lastSelectedAt?: string }[];
    wallets: { publicKey: string; lastSelectedAt?: string }[];
  }
  const read = async (userId: string) =>
    (await world.api.get<{ user: Shown }>(world.path(`/users/${userId}`), { expect: 200 })).body.user;

  it('is the main one: of those that sign in, and of those that are linked', async () => {
    const [first, second] = [newKey(), newKey()];
    const { body } = await signIn(await keySignIn(world, first));
    const userId = body.user.id;
    expect(body.user.verifiedCredentials).toMatchObject([{ lastSelectedAt: expect.any(String) }]);
    const path = world.sdk('/wallets/verify');
    const linked = await world.anonymous.post<Answer>(path, await keySignIn(world, second), { token: body.jwt });
    expect(linked.status).toBe(200);
    expect(await read(userId)).toMatchObject({ walletPublicKey: second.address });
    const again = await signIn(await keySignIn(world, first));
    expect(again.body.user.id).toBe(userId);
    const user = await read(userId);
    expect(user.walletPublicKey).toBe(first.address);
    const selectedAt = (all: { lastSelectedAt?: string; address?: string; publicKey?: string }[], address: string) =>
      Date.parse(all.find((one) => (one.address ?? one.publicKey) === address)?.lastSelectedAt ?? '');
    for (const all of [user.verifiedCredentials, user.wallets])
      expect(selectedAt(all, first.address)).toBeGreaterThan(selectedAt(all, second.address));
    const shown = again.body.user.verifiedCredentials.find(({ address }) => address === first.address);
    expect(Date.parse(String(shown!['lastSelectedAt']))).toBe(selectedAt(user.verifiedCredentials, first.address));
  });
});

it('those who sign in with a wallet, link it and choose it at once wait for nobody in a circle', async () => {
  for (let round = 0; round < 8; round += 1) {
    const key = newKey();
    const first = await signIn(await keySignIn(world, key));
    const token = first.body.jwt;
    const [wallet] = await walletsOf(first);
    const bodies = await Promise.all(Array.from({ length: 8 }, () => keySignIn(world, key)));
    const [link, ...others] = bodies;
    const answers = await Promise.all([
      ...others.map((body) => signIn(body)),
      world.anonymous.put<Answer>(world.sdk('/users/wallets/selection'), { walletId: wallet!['id'] }, { token }),
      world.anonymous.post<Answer>(world.sdk('/wallets/verify'), link, { token }),
    ]);
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual(answers.map(() => 200));
  }
});

describe('a wallet of somebody who is signed in', () => {
  const link = async (token: string, body: object) =>
    world.anonymous.post<Answer>(world.sdk('/wallets/verify'), body, { token });

  it('becomes a credential of theirs, by which they can sign in', async () => {
    const { jwt, userId } = await world.signIn(newEmail());
    const key = newKey();
    const linked = await link(jwt, await keySignIn(world, key));
    expect(linked.status).toBe(200);
    expect(linked.body.user.verifiedCredentials.map(({ format }) => format).sort()).toEqual(['blockchain', 'email']);
    expect((await signIn(await keySignIn(world, key))).body.user.id).toBe(userId);
  });

  it('is not taken from another user who has proven it', async () => {
    const key = newKey();
    const owner = await signIn(await keySignIn(world, key));
    const { jwt } = await world.signIn(newEmail());
    const refused = await link(jwt, await keySignIn(world, key));
    expect([refused.status, refused.body.code]).toEqual([422, 'merge_accounts_confirmation']);
    expect((await signIn(await keySignIn(world, key))).body.user.id).toBe(owner.body.user.id);
  });

  it('goes to one user of fifty who prove it at once', async () => {
    const key = newKey();
    const people = await Promise.all(Array.from({ length: 50 }, () => world.signIn(newEmail())));
    const bodies = await Promise.all(people.map(() => keySignIn(world, key)));
    const answers = await Promise.all(people.map(({ jwt }, at) => link(jwt, bodies[at]!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const claims = await rowsOf(test, 'SELECT 1 FROM credentials WHERE environment_id = $1 AND address = $2', [
      world.environmentId,
      key.address,
    ]);
    expect(claims).toHaveLength(1);
  });
});

describe('nonces', () => {
  it('are issued as many as asked for, in one statement, each good once', async () => {
    const get = (query = '') => world.anonymous.get<{ nonces: string[] }>(world.sdk(`/nonces${query}`));
    expect((await get()).body.nonces).toHaveLength(5);
    const { result, sent } = await countStatements(() => get('?count=20'));
    expect(new Set(result.body.nonces).size).toBe(20);
    for (const nonce of result.body.nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(sent.filter(({ name }) => name === 'nonces.store')).toHaveLength(1);
    for (const count of ['0', '21', '-1', 'many', '1.5']) expect((await get(`?count=${count}`)).status).toBe(400);
    const key = newKey();
    const text = messageOf({ address: key.address, nonce: result.body.nonces[7]! });
    const body = claimOf(key.address, text, await key.signMessage({ message: text }));
    expect((await signIn(body)).status).toBe(200);
    expect(await refusalOf(body)).toMatchObject({ code: 'invalid_nonce' });
  });
});

describe('a hint of an address to come', () => {
  it('is accepted where it is one', async () => {
    const { address } = newKey();
    const hint = (body: object, environmentId?: string) =>
      world.anonymous.post(world.sdk('/prefetch', environmentId), body);
    expect((await hint({ chain: 'EVM', publicWalletAddress: address })).status).toBe(202);
    expect((await hint({ chain: 'EVM', publicWalletAddress: 'a b' })).status).toBe(400);
    expect((await hint({ chain: 'DOGE', publicWalletAddress: address })).status).toBe(400);
    expect(
      (await hint({ chain: 'EVM', publicWalletAddress: address }, '018f0000-0000-7000-8000-00000000dead')).status,
    ).toBe(404);
  });
});
