import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { privateKeyToAccount } from 'viem/accounts';
import { TakeSignInFromEmbeddedWallets20261127120001 } from '../../migrations/20261127120001-take-sign-in-from-embedded-wallets.js';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { addSite, claimOf, enableChains, keySignIn, messageOf, newNonce } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Answer {
  code?: string;
  elevatedAccessToken?: string;
  user?: { id: string; verifiedCredentials: { address?: string; signInEnabled: boolean; verifiedAt?: string }[] };
}
interface WalletJson {
  id: string;
  chain: 'EVM' | 'SOL';
  publicKey: string;
}

const CALLERS = 50;
const ACCOUNTS = { EVM: { account: 'Ethereum' }, SOL: { account: 'Solana', chainId: 'mainnet' } } as const;

/** Whoever may have an embedded wallet sign would otherwise be its user: a stolen session, a server that was let sign. */
describe('a message to sign in that an embedded wallet has signed', () => {
  let test: TestApp;
  let world: World;
  let owner: SignedIn;
  let wallets: WalletJson[];

  const userOf = async (userId: string) =>
    (
      await world.api.get<{ user: NonNullable<Answer['user']> & { wallets: WalletJson[] } }>(
        world.path(`/users/${userId}`),
      )
    ).body.user;
  const newOwner = async (): Promise<{ owner: SignedIn; wallets: WalletJson[] }> => {
    const person = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM', 'SOL'] }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    return { owner: person, wallets: (await userOf(person.userId)).wallets };
  };
  /** Signed by the service, at the wish of whoever has the session. */
  const signedBy = async ({ id, chain, publicKey }: WalletJson, token = owner.jwt): Promise<object> => {
    const message = messageOf({ ...ACCOUNTS[chain], address: publicKey, nonce: await newNonce(world) });
    const path = world.sdk(`/users/embeddedWallets/${id}/sign`);
    const { body } = await world.anonymous.post<{ signature: string }>(
      path,
      { kind: 'message', message },
      { token, expect: 200 },
    );
    return claimOf(publicKey, message, body.signature, chain);
  };
  const post = (path: string, body: object, token?: string) =>
    world.anonymous.post<Answer>(world.sdk(path), body, { ...(token && { token }) });
  const claimsOn = () =>
    rowsOf<{ identifier: string }>(
      test,
      "SELECT identifier FROM identifier_claims WHERE environment_id = $1 AND kind = 'wallet'",
      [world.environmentId],
    );

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    await addSite(world);
    await enableChains(world, { EVM: [11_155_111], SOL: [] });
    ({ owner, wallets } = await newOwner());
  });
  afterAll(() => test.close());

  it.each(['EVM', 'SOL'] as const)('signs nobody in, with or without a proof for more: %s', async (chain) => {
    const wallet = wallets.find((one) => one.chain === chain)!;
    for (const path of ['/wallets/signin', '/verify']) {
      for (const more of [{}, { requestedScopes: ['wallet:export'] }]) {
        const { status, body } = await post(path, { ...(await signedBy(wallet)), ...more });
        expect([path, status, body.code]).toEqual([path, 422, 'embedded_wallet_proves_nobody']);
        expect(body.elevatedAccessToken).toBeUndefined();
      }
    }
    const { verifiedCredentials } = await userOf(owner.userId);
    const own = verifiedCredentials.filter(({ address }) => address === wallet.publicKey);
    expect(own).toMatchObject([{ signInEnabled: false }]);
    expect(await claimsOn()).toEqual([]);
  });

  it('is neither a fresh proof nor a credential of its own user', async () => {
    for (const path of ['/wallets/verify', '/verify/link', '/verify/transfer']) {
      for (const more of [{}, ...(path === '/verify/transfer' ? [] : [{ requestedScopes: ['wallet:export'] }])]) {
        const { status, body } = await post(path, { ...(await signedBy(wallets[0]!)), ...more }, owner.jwt);
        expect([path, status, body.code]).toEqual([path, 422, 'embedded_wallet_proves_nobody']);
      }
    }
    expect(await claimsOn()).toEqual([]);
  });

  it('does not link the wallet to anybody else', async () => {
    const stranger = await world.signIn(newEmail());
    for (const path of ['/wallets/verify', '/verify/link', '/verify/transfer']) {
      const { status, body } = await post(path, await signedBy(wallets[0]!), stranger.jwt);
      expect([path, status, body.code]).toEqual([path, 422, 'embedded_wallet_address_already_linked']);
    }
  });

  it('proves nobody while the wallet is hidden, nor after it is restored', async () => {
    const { owner: person, wallets: own } = await newOwner();
    const evm = own.find(({ chain }) => chain === 'EVM')!;
    const claims = await Promise.all(Array.from({ length: 3 }, () => signedBy(evm, person.jwt)));
    const path = world.sdk(`/users/embeddedWallets/${evm.id}`);
    await world.anonymous.delete(`${path}/softDelete`, { token: person.jwt, expect: 204 });
    const hidden = await post('/wallets/signin', claims[0]!);
    expect([hidden.status, hidden.body.code]).toEqual([422, 'embedded_wallet_proves_nobody']);
    const stranger = await world.signIn(newEmail());
    const linked = await post('/verify/link', claims[1]!, stranger.jwt);
    expect([linked.status, linked.body.code]).toEqual([422, 'embedded_wallet_address_already_linked']);
    await world.anonymous.put(`${path}/restore`, undefined, { token: person.jwt, expect: 204 });
    expect((await post('/wallets/signin', claims[2]!)).status).toBe(422);
  });

  it(`signs nobody in of ${CALLERS} who show one at once`, async () => {
    const people = await Promise.all(Array.from({ length: 5 }, newOwner));
    const claims = await Promise.all(
      Array.from({ length: CALLERS }, (_, at) => {
        const { owner: person, wallets: own } = people[at % people.length]!;
        return signedBy(own[0]!, person.jwt);
      }),
    );
    const answers = await Promise.all(claims.map((claim) => post('/wallets/signin', claim)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['422 embedded_wallet_proves_nobody']),
    );
    expect(await claimsOn()).toEqual([]);
  });

  it('signs in a new user once the wallet is deleted, for whoever has the key', async () => {
    const { owner: person, wallets: own } = await newOwner();
    const evm = own.find(({ chain }) => chain === 'EVM')!;
    // As if the user had exported this key, and deleted the wallet.
    const key = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
    await rowsOf(test, 'UPDATE wallets SET address = $2 WHERE id = $1', [evm.id, key.address]);
    await rowsOf(test, 'UPDATE credentials SET address = $2, public_identifier = $2 WHERE wallet_id = $1', [
      evm.id,
      key.address,
    ]);
    const before = await post('/wallets/signin', await keySignIn(world, key));
    expect([before.status, before.body.code]).toEqual([422, 'embedded_wallet_proves_nobody']);
    await world.api.delete(world.path(`/wallets/${evm.id}`), { expect: 204 });
    const after = await post('/wallets/signin', await keySignIn(world, key));
    expect([after.status, after.body.code]).toEqual([200, undefined]);
    expect(after.body.user!.id).not.toBe(person.userId);
  });

  it('revokes what embedded wallets had proven, and nothing else', async () => {
    const { owner: person, wallets: own } = await newOwner();
    const evm = own.find(({ chain }) => chain === 'EVM')!;
    const key = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
    const external = await post('/wallets/signin', await keySignIn(world, key));
    await rowsOf(test, 'UPDATE credentials SET sign_in_enabled = true, verified_at = now() WHERE wallet_id = $1', [
      evm.id,
    ]);
    const plant = `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
      VALUES ($1, 'wallet', $2, $3, now())`;
    const gone = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`).address;
    for (const address of [evm.publicKey, gone])
      await rowsOf(test, plant, [world.environmentId, `eip155:${address.toLowerCase()}`, person.userId]);
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      await new TakeSignInFromEmbeddedWallets20261127120001().up(runner);
    } finally {
      await runner.release();
    }
    const claims = (await claimsOn()).map(({ identifier }) => identifier);
    expect(claims).toContain(`eip155:${key.address.toLowerCase()}`);
    expect(
      claims.filter((one) => [evm.publicKey, gone].some((address) => one.endsWith(address.toLowerCase()))),
    ).toEqual([]);
    const signsIn = async (userId: string) =>
      (await userOf(userId)).verifiedCredentials
        .filter(({ address }) => address)
        .map(({ signInEnabled }) => signInEnabled);
    expect(await signsIn(person.userId)).toEqual([false, false]);
    expect(await signsIn(external.body.user!.id)).toEqual([true]);
  });
});
