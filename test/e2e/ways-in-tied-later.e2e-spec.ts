import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Accounts } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { newSigner, type ChainSigner } from '../support/chain-signers.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import {
  addSite,
  claimOf,
  enableChains,
  keySignIn,
  messageOf,
  newKey,
  newNonce,
  NETWORK,
} from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

type Key = ReturnType<typeof newKey>;
interface Answer {
  code?: string;
  jwt: string;
  user: { id: string; verifiedCredentials: { format: string; address?: string; signInEnabled: boolean; id: string }[] };
}

const CALLERS = 50;

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await addSite(world);
  await enableChains(world, { EVM: [NETWORK], APTOS: [] });
});
afterAll(() => test.close());

const walletOf = ({ address }: Key) => ({
  publicWalletAddress: address,
  chain: 'EVM',
  walletName: 'm',
  walletProvider: 'qrCode',
});
/** As a server does that has a token for users. */
const attach = (userId: string, key: Key) =>
  world.api.post(world.path(`/users/${userId}/wallets`), walletOf(key), { expect: 201 });
const signIn = async (key: Key) =>
  (await world.anonymous.post<Answer>(world.sdk('/verify'), await keySignIn(world, key), { expect: 200 })).body;
/** As an API call may write the address: hex is the same in both cases. */
const shouted = ({ address }: ChainSigner) => ({
  ...walletOf(newKey()),
  chain: 'APTOS',
  publicWalletAddress: `0x${address.slice(2).toUpperCase()}`,
});
async function signInWith({ account, address, sign }: ChainSigner): Promise<Answer> {
  const text = messageOf({ account, chainId: null, address, nonce: await newNonce(world) });
  const claim = claimOf(address, text, sign(text), 'APTOS');
  return (await world.anonymous.post<Answer>(world.sdk('/verify'), claim, { expect: 200 })).body;
}
const created = async (profile: object): Promise<string> =>
  (await world.api.post<{ user: { id: string } }>(world.path('/users'), profile, { expect: 201 })).body.user.id;
const session = (token: string) => world.anonymous.get(world.sdk('/session'), { token });

describe('a wallet that an API call ties to an account of somebody', () => {
  it('lets nobody in there: whoever has it is a user of their own, and the account keeps its session', async () => {
    const ada = await world.signIn(newEmail());
    const key = newKey();
    await attach(ada.userId, key);
    const stranger = await signIn(key);
    expect(stranger.user.id).not.toBe(ada.userId);
    expect(stranger.user.verifiedCredentials).toMatchObject([{ address: key.address, signInEnabled: true }]);
    expect((await session(ada.jwt)).status).toBe(204);
    expect((await signIn(key)).user.id).toBe(stranger.user.id);
  });

  it(`of ${CALLERS} who sign in with it at once makes one user`, async () => {
    const ada = await world.signIn(newEmail());
    const key = newKey();
    await attach(ada.userId, key);
    const people = await Promise.all(Array.from({ length: CALLERS }, () => signIn(key)));
    const ids = new Set(people.map(({ user }) => user.id));
    expect(ids.size).toBe(1);
    expect(ids.has(ada.userId)).toBe(false);
    const claims = 'SELECT user_id FROM identifier_claims WHERE environment_id = $1 AND identifier = $2';
    expect(await rowsOf(test, claims, [world.environmentId, `eip155:${key.address.toLowerCase()}`])).toHaveLength(1);
  });

  it('lets its owner in once they have proven it themselves', async () => {
    const ada = await world.signIn(newEmail());
    const key = newKey();
    await attach(ada.userId, key);
    const path = world.sdk('/wallets/verify');
    await world.anonymous.post(path, await keySignIn(world, key), { token: ada.jwt, expect: 200 });
    expect((await signIn(key)).user.id).toBe(ada.userId);
  });

  it('lets nobody in there either where it was written in other letters that the chain reads alike', async () => {
    const ada = await world.signIn(newEmail());
    const signer = newSigner('APTOS');
    await world.api.post(world.path(`/users/${ada.userId}/wallets`), shouted(signer), { expect: 201 });
    expect((await signInWith(signer)).user.id).not.toBe(ada.userId);
  });

  it('lets in where nobody has come as yet, and where it was said of the user from the start', async () => {
    const [early, known] = [newKey(), newKey()];
    const nobody = await created({});
    await attach(nobody, early);
    expect((await signIn(early)).user.id).toBe(nobody);
    const email = newEmail();
    const userId = await created({ email, wallets: [walletOf(known)] });
    expect((await world.signIn(email)).userId).toBe(userId);
    expect((await signIn(known)).user.id).toBe(userId);
  });

  it('in other letters is the credential of the sign-in, and no way in once it is unlinked', async () => {
    const signer = newSigner('APTOS');
    const userId = await created({ wallets: [shouted(signer)] });
    const { jwt, user } = await signInWith(signer);
    const [wallet] = user.verifiedCredentials;
    expect([user.id, decodeJwt(jwt)['last_verified_credential_id']]).toEqual([userId, wallet!.id]);
    const accounts = new Accounts(world);
    await accounts.verifyEmail(jwt, newEmail());
    expect((await accounts.post('/verify/unlink', jwt, { verifiedCredentialId: wallet!.id })).status).toBe(200);
    expect((await signInWith(signer)).user.id).not.toBe(userId);
  });
});
