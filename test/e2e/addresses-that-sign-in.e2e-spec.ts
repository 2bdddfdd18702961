import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { TestApp } from '../support/app.js';
import { newRecipient } from '../support/hpke-open.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { SplitWallets } from '../support/split-wallets.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { addSite, keySignIn } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Answer {
  code?: string;
  roomId: string;
  exportBundle: string;
  user: { id: string };
}

/** Whoever signs in by a wallet would have no way in once the address is that of an embedded one, which proves nobody. */
describe('an address that signs somebody in', () => {
  let test: TestApp;
  let world: World;

  const post = (path: string, body: object, token?: string, headers?: Record<string, string>) =>
    world.anonymous.post<Answer>(world.sdk(path), body, { ...(token && { token }), ...(headers && { headers }) });
  const signIn = async (key: ReturnType<typeof privateKeyToAccount>) => {
    const { status, body } = await post('/wallets/signin', await keySignIn(world, key));
    expect([status, body.code]).toEqual([200, undefined]);
    return body.user.id;
  };
  const embeddedOf = (userId: string) =>
    rowsOf<{ id: string; address: string; chain: string }>(
      test,
      "SELECT id, address, chain FROM wallets WHERE user_id = $1 AND kind = 'embedded' ORDER BY chain",
      [userId],
    );
  const embed = ({ jwt }: SignedIn, ...chains: string[]) =>
    post('/users/embeddedWallets', { embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chains }] }, jwt);

  /** As wallet-export.md has it. */
  async function exportedKey({ jwt, userId }: SignedIn, { id, address }: { id: string; address: string }) {
    const recipient = newRecipient('X25519');
    const exportId = base58.encode(recipient.publicKey);
    const { body } = await post(`/waas/${id}/privateKey/export`, { exportId }, jwt, await proofOf(world, jwt));
    const path = world.sdk(`/users/embeddedWallets/${id}/activities/${body.roomId}/export`);
    const fetched = await world.anonymous.get<Answer>(path, { token: jwt, expect: 200 });
    const { enc, ciphertext } = JSON.parse(fetched.body.exportBundle) as { enc: string; ciphertext: string };
    const info = Buffer.from(`export/v1|${world.environmentId}|${userId}|${id}|${body.roomId}`);
    const [sealed, aad] = [Buffer.from(ciphertext, 'base64url'), Buffer.from(address)];
    const secret = recipient.open(Buffer.from(enc, 'base64url'), sealed, info, aad);
    return privateKeyToAccount(`0x${secret.toString('hex')}`);
  }

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    await addSite(world);
  });
  afterAll(() => test.close());

  it('cannot be that of a key that a device splits, whoever has it', async () => {
    const secret = generatePrivateKey();
    const key = privateKeyToAccount(secret);
    const userId = await signIn(key);
    const split = await SplitWallets.of(world);
    const { status, body } = await split.deal(Buffer.from(secret.slice(2), 'hex'));
    expect([status, body.code]).toEqual([422, 'wallet_signs_in']);
    expect(await embeddedOf(split.owner.userId)).toEqual([]);
    expect(await signIn(key)).toBe(userId);
    const another = await split.deal(Buffer.from(generatePrivateKey().slice(2), 'hex'));
    expect([another.status, another.body.state]).toEqual([200, 'done']);
  });

  it('cannot be recreated from keys exported before', async () => {
    const person = await world.signIn(newEmail());
    expect((await embed(person, 'EVM')).status).toBe(201);
    const [wallet] = await embeddedOf(person.userId);
    const key = await exportedKey(person, wallet!);
    expect(key.address).toBe(wallet!.address);
    await world.api.delete(world.path(`/wallets/${wallet!.id}`), { expect: 204 });
    const userId = await signIn(key);
    expect(userId).not.toBe(person.userId);
    const again = await embed(person, 'EVM', 'SOL');
    expect([again.status, again.body.code]).toEqual([422, 'wallet_signs_in']);
    expect(await signIn(key)).toBe(userId);
    const request = { identifier: person.email, type: 'email', chains: ['EVM'] };
    const ahead = await world.api.post<Answer>(world.path('/embeddedWallets'), request);
    expect([ahead.status, ahead.body.code]).toEqual([422, 'wallet_signs_in']);
    expect((await embed(person, 'SOL')).status).toBe(201);
    expect((await embeddedOf(person.userId)).map(({ chain }) => chain)).toEqual(['SOL']);
    expect(await signIn(key)).toBe(userId);
  });
});
