import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { enableFrames, FrameChain, frameSignIn } from '../support/frame.js';
import { eventsOf } from '../support/rows.js';
import type { Mood } from '../support/rpc-node.js';
import { countStatements } from '../support/statements.js';
import { newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

interface Answered extends Refusal {
  user: { id: string; verifiedCredentials: Record<string, unknown>[] };
}

let test: TestApp;
let world: World;
let chain: FrameChain;

beforeAll(async () => {
  chain = await FrameChain.start();
  test = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' } });
  world = await World.create(test);
  await chain.serve(world);
  await enableFrames(world);
});
afterAll(async () => {
  await test.close();
  await chain.node.close();
});
beforeEach(() => {
  chain.node.mood = 'well';
  chain.node.forget();
});

const newFid = (): bigint => BigInt(randomInt(1, 2 ** 40));
const signIn = (body: object, headers: Record<string, string> = {}) =>
  world.anonymous.post<Answered>(world.sdk('/frameapp/signin'), body, { headers });
const outcome = async (body: object, headers?: Record<string, string>): Promise<unknown[]> => {
  const answer = await signIn(body, headers);
  return [answer.status, answer.body.code];
};

describe('a sign-in at the frame network', () => {
  it('is by the custody address of an account, and finds the same user after the account has moved', async () => {
    const fid = newFid();
    const key = chain.holder(fid);
    const first = await signIn(await frameSignIn(world, key, fid));
    expect([first.status, first.body.code]).toEqual([200, undefined]);
    expect(first.body.user.verifiedCredentials).toEqual([
      expect.objectContaining({ format: 'oauth', oauth_provider: 'farcaster', oauth_account_id: String(fid) }),
    ]);
    chain.custody.delete(key.address);
    expect(await outcome(await frameSignIn(world, key, fid))).toEqual([422, 'frame_custody_refused']);
    const second = await signIn(await frameSignIn(world, chain.holder(fid), fid));
    expect(second.body.user.id).toBe(first.body.user.id);
  });

  it('takes its nonce with one statement, and asks the chain before any transaction', async () => {
    const fid = newFid();
    const key = chain.holder(fid);
    await signIn(await frameSignIn(world, key, fid));
    const body = await frameSignIn(world, key, fid);
    const { result, sent } = await countStatements(() => signIn(body));
    expect(result.status).toBe(200);
    const own = sent.map(({ name, text }) => name || text).filter((name) => /^nonces\.|^wallets\./.test(name));
    expect(own).toEqual(['nonces.take']);
  });

  it('with one message, a hundred times concurrently, works once', async () => {
    const fid = newFid();
    const body = await frameSignIn(world, chain.holder(fid), fid);
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200).map((answer) => answer.body.code);
    expect(others).toEqual(Array(99).fill('invalid_nonce'));
  });

  it('of a new account, fifty times concurrently, creates one user and one event', async () => {
    const fid = newFid();
    const key = chain.holder(fid);
    const bodies = await Promise.all(Array.from({ length: 50 }, () => frameSignIn(world, key, fid)));
    const answers = await Promise.all(bodies.map((body) => signIn(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    const events = await eventsOf(test, world.environmentId, answers[0]!.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('links an account to the signed-in user', async () => {
    const { jwt: token } = await world.signIn(newEmail());
    const fid = newFid();
    const body = await frameSignIn(world, chain.holder(fid), fid);
    const answer = await world.anonymous.post<Answered>(world.sdk('/frameapp/verify'), body, { token });
    expect(answer.status).toBe(200);
    expect(answer.body.user.verifiedCredentials).toHaveLength(2);
  });

  it('does not sign in to a user to whom a frame server has linked the account', async () => {
    const ada = await world.signIn(newEmail());
    const fid = newFid();
    const path = world.path('/embeddedWallets/frameapp');
    const tied = { email: ada.email, fid: Number(fid), chains: ['EVM'] };
    const { body } = await world.api.post<Answered>(path, tied, { expect: 201 });
    expect(body.user.id).toBe(ada.userId);
    const stranger = await signIn(await frameSignIn(world, chain.holder(fid), fid));
    expect(stranger.status).toBe(200);
    expect(stranger.body.user.id).not.toBe(ada.userId);
    const again = await signIn(await frameSignIn(world, chain.holder(fid), fid));
    expect(again.body.user.id).toBe(stranger.body.user.id);
  });

  const MESSAGE = 'invalid_sign_in_message';
  it.each<[string, (text: string) => string, object, string]>([
    ['an account that the address does not hold', (t) => t.replace(/fid\/\d+/, 'fid/1'), {}, 'frame_custody_refused'],
    ['another chain', (t) => t.replace('Chain ID: 10', 'Chain ID: 1'), {}, MESSAGE],
    ['another statement', (t) => t.replace('Farcaster Auth', 'Welcome.'), {}, MESSAGE],
    ['no account', (t) => t.replace(/\nResources:.*/s, ''), {}, MESSAGE],
    ['two accounts', (t) => `${t}\n- farcaster://fid/1`, {}, MESSAGE],
    [
      'a site that is not registered',
      (t) => t.replaceAll('app.example.com', 'evil.example'),
      { domain: 'evil.example' },
      MESSAGE,
    ],
    ['another domain than it says', (t) => t, { domain: 'evil.example' }, MESSAGE],
    ['another nonce than it says', (t) => t, { nonce: '0123456789abcdef' }, MESSAGE],
    [
      'a nonce that was never issued',
      (t) => t.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef'),
      { nonce: '0123456789abcdef' },
      'invalid_nonce',
    ],
    [
      'a message of yesterday',
      (t) => t.replace(/Issued At: .*/, `Issued At: ${new Date(Date.now() - 86_400_000).toISOString()}`),
      {},
      MESSAGE,
    ],
    [
      'a message that has ended',
      (t) => t.replace('\nResources', `\nExpiration Time: ${new Date(Date.now() - 1_000).toISOString()}\nResources`),
      {},
      MESSAGE,
    ],
    ['an address with a wrong checksum', (t) => t, { address: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, MESSAGE],
    ['a signature of nothing', (t) => t, { signature: `0x${'00'.repeat(65)}` }, 'invalid_wallet_signature'],
    ['a signature that is no hex', (t) => t, { signature: 'signature' }, 'invalid_wallet_signature'],
  ])('is refused with %s', async (_, change, more, code) => {
    const fid = newFid();
    const body = await frameSignIn(world, chain.holder(fid), fid, change);
    expect(await outcome({ ...body, ...more })).toEqual([422, code]);
  });

  it('is refused with the signature of another key, and from a site other than the message’s', async () => {
    const fid = newFid();
    const body = await frameSignIn(world, chain.holder(fid), fid);
    const signature = await newKey().signMessage({ message: body['message']! });
    expect(await outcome({ ...body, signature })).toEqual([422, 'invalid_wallet_signature']);
    expect(await outcome(body, { origin: 'https://other.example' })).toEqual([422, MESSAGE]);
  });

  it('only reads from the chain', async () => {
    const fid = newFid();
    await signIn(await frameSignIn(world, chain.holder(fid), fid));
    const methods = new Set(chain.node.calls.map(({ method }) => method));
    for (const method of methods) expect(['eth_call', 'eth_getCode', 'eth_chainId']).toContain(method);
  });

  it.each<Mood>(['down', 'garbage', 'html', 'rate-limited', 'fault'])(
    'is refused while the chain is %s',
    async (mood) => {
      const fid = newFid();
      const body = await frameSignIn(world, chain.holder(fid), fid);
      chain.node.mood = mood;
      expect(await outcome(body)).toEqual([503, 'wallet_chain_unreadable']);
    },
  );

  it('is refused if the provider is disabled', async () => {
    const off = await World.create(test);
    const answer = await off.anonymous.post<Refusal>(off.sdk('/frameapp/signin'), await frameSignIn(off, newKey(), 1n));
    expect([answer.status, answer.body.code]).toEqual([422, 'provider_not_available']);
  });
});
