import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

type Key = ReturnType<typeof newKey>;
interface Answer {
  code?: string;
  jwt: string;
  user: { id: string; verifiedCredentials: { format: string; address?: string; signInEnabled: boolean }[] };
}

const CALLERS = 50;

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await addSite(world);
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
});
