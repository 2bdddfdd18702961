import { createPublicKey, randomUUID, verify, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { base58, createBase58check } from '@scure/base';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { networks, payments } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { privateKeyToAccount } from 'viem/accounts';
import { SecurityEvent, SecurityLog } from '../../src/common/security/index.js';
import { StepUp } from '../../src/auth/index.js';
import { WalletSigner } from '../../src/custody/signer/wallet-signer.js';
import { DevInbox, timeInMail } from '../../src/providers/index.js';
import { sha256 } from '../../src/custody/signing/bitcoin-script.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newRecipient, type HpkeRecipient } from '../support/hpke-open.js';
import { freePort } from '../support/ports.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

type Chain = 'EVM' | 'SOL' | 'SUI' | 'BTC';
interface WalletJson {
  id: string;
  chain: Chain;
  publicKey: string;
}
interface Bundle {
  version: string;
  kem: string;
  enc: string;
  ciphertext: string;
  address: string;
  kid: string;
  signature: string;
}

const CALLERS = 50;
const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const wif = createBase58check(sha256);

/** What a wallet of Bitcoin makes of `wpkh(<WIF>)` (BIP-380, BIP-382), by the library that people load a key with. */
function addressOfDescriptor(descriptor: string): string {
  const [, text = ''] = /^wpkh\((\w+)\)$/.exec(descriptor) ?? [];
  const decoded = wif.decode(text);
  // Of the main network, for compressed public keys: the others have no witness programs.
  if (decoded.length !== 34 || decoded[0] !== 0x80 || decoded[33] !== 1) throw new Error('This is no such key.');
  const pubkey = secp256k1.pointFromScalar(decoded.subarray(1, 33), true)!;
  return payments.p2wpkh({ pubkey, network: networks.bitcoin }).address!;
}

/** What people load a key with, and the address that it then shows. */
const LOADERS: Record<Chain, (key: Buffer) => Promise<string>> = {
  EVM: async (key) => privateKeyToAccount(`0x${key.toString('hex')}`).address,
  SOL: async (key) => {
    const publicKey = Ed25519Keypair.fromSecretKey(new Uint8Array(key)).getPublicKey().toRawBytes();
    // A keypair file is the list of these 64 bytes.
    return (await createKeyPairSignerFromBytes(new Uint8Array([...key, ...publicKey]))).address;
  },
  SUI: async (key) => {
    const text = Ed25519Keypair.fromSecretKey(new Uint8Array(key)).getSecretKey();
    return Ed25519Keypair.fromSecretKey(text).toSuiAddress();
  },
  BTC: async (key) => {
    const text = wif.encode(Buffer.concat([Buffer.of(0x80), key, Buffer.of(1)]));
    return addressOfDescriptor(`wpkh(${text})`);
  },
};

describe('the private key of an embedded wallet', () => {
  let test: TestApp;
  let world: World;
  let owner: SignedIn & { wallets: WalletJson[] };

  const newOwner = async () => {
    const person = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM', 'SOL', 'SUI', 'BTC'] }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    const { user } = (await world.api.get<{ user: { wallets: WalletJson[] } }>(world.path(`/users/${person.userId}`)))
      .body;
    return { ...person, wallets: user.wallets };
  };
  const open = async (
    walletId: string,
    recipient: Pick<HpkeRecipient, 'publicKey'>,
    { jwt = owner.jwt, headers }: { jwt?: string; headers?: Record<string, string> } = {},
  ) =>
    world.anonymous.post<{ roomId: string; serverKeygenIds: string[]; walletId: string; code?: string }>(
      world.sdk(`/waas/${walletId}/privateKey/export`),
      { exportId: base58.encode(recipient.publicKey) },
      { token: jwt, headers: headers ?? (await proofOf(world, jwt)) },
    );
  const fetchBundle = (walletId: string, activityId: string, jwt = owner.jwt) =>
    world.anonymous.get<{ exportBundle: string; code?: string }>(
      world.sdk(`/users/embeddedWallets/${walletId}/activities/${activityId}/export`),
      { token: jwt },
    );
  const infoOf = (walletId: string, activityId: string, userId = owner.userId): Buffer =>
    Buffer.from(`export/v1|${world.environmentId}|${userId}|${walletId}|${activityId}`);
  const exported = () =>
    rowsOf(test, "SELECT 1 FROM key_ledger WHERE environment_id = $1 AND operation = 'export'", [world.environmentId]);

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    owner = await newOwner();
  });
  afterAll(() => test.close());

  it.each(
    (['P256', 'X25519'] as const).flatMap((kem) =>
      (['EVM', 'SOL', 'SUI', 'BTC'] as const).map((chain) => [chain, kem] as const),
    ),
  )('of a wallet on %s leaves sealed to a key of %s, and loads to the same address', async (chain, kem) => {
    const wallet = owner.wallets.find((one) => one.chain === chain)!;
    const recipient = newRecipient(kem);
    const opened = await open(wallet.id, recipient);
    expect([opened.status, opened.body.walletId, opened.body.serverKeygenIds]).toEqual([200, wallet.id, []]);
    const { roomId } = opened.body;
    const { status, body } = await fetchBundle(wallet.id, roomId);
    expect(status).toBe(200);
    const bundle = JSON.parse(body.exportBundle) as Bundle;
    expect(bundle).toMatchObject({ version: 'export/v1', kem, address: wallet.publicKey });
    const [enc, ciphertext] = [bytes(bundle.enc), bytes(bundle.ciphertext)];
    const key = recipient.open(enc, ciphertext, infoOf(wallet.id, roomId), Buffer.from(wallet.publicKey));
    expect(await LOADERS[chain](key)).toBe(wallet.publicKey);
    // What was sealed for this export opens for no other.
    const elsewhere = infoOf(wallet.id, randomUUID());
    expect(() => recipient.open(enc, ciphertext, elsewhere, Buffer.from(wallet.publicKey))).toThrow();
    expect(() => recipient.open(enc, ciphertext, infoOf(wallet.id, roomId), Buffer.from('0x0'))).toThrow();
    expect(() =>
      newRecipient(kem).open(enc, ciphertext, infoOf(wallet.id, roomId), Buffer.from(wallet.publicKey)),
    ).toThrow();
    // The environment signed it with a key that it publishes.
    const jwks = await world.anonymous.get<{ keys: (JsonWebKey & { kid: string })[] }>(world.sdk('/.well-known/jwks'));
    const jwk = jwks.body.keys.find(({ kid }) => kid === bundle.kid)!;
    const signed = Buffer.concat([
      infoOf(wallet.id, roomId),
      Buffer.from(`\n${enc.toString('hex')}\n${ciphertext.toString('hex')}\n`),
    ]);
    expect(verify('sha256', signed, createPublicKey({ key: jwk, format: 'jwk' }), bytes(bundle.signature))).toBe(true);
  });

  it('is handed out once, of ' + String(CALLERS) + ' who fetch it at once', async () => {
    const [wallet] = owner.wallets;
    const { roomId } = (await open(wallet!.id, newRecipient('X25519'))).body;
    const before = (await exported()).length;
    const log = test.app.get(SecurityLog);
    const told = log.count(SecurityEvent.SecretRevealed);
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => fetchBundle(wallet!.id, roomId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(CALLERS - 1).fill(404)]);
    expect(await exported()).toHaveLength(before + 1);
    expect(log.count(SecurityEvent.SecretRevealed)).toBe(told + 1);
  });

  it('is told to the team as the wallet and by whom, when it has left and not before', async () => {
    const { userId, jwt, wallets } = await newOwner();
    const [wallet] = wallets;
    const events = async () =>
      (await eventsOf(test, world.environmentId, wallet!.id)).filter(({ name }) => name === 'wallet.exported');
    const { roomId } = (await open(wallet!.id, newRecipient('X25519'), { jwt })).body;
    expect(await events()).toEqual([]);
    await fetchBundle(wallet!.id, roomId, jwt);
    await fetchBundle(wallet!.id, roomId, jwt);
    const data = { ...wallet, userId };
    expect(await events()).toEqual([{ name: 'wallet.exported', resourceId: wallet!.id, userId, data }]);
  });

  it('is asked for with a fresh proof that is good once', async () => {
    const [wallet] = owner.wallets;
    const recipient = newRecipient('P256');
    const without = await open(wallet!.id, recipient, { headers: {} });
    expect([without.status, without.body.code]).toEqual([403, 'fresh_proof_required']);
    const headers = await proofOf(world, owner.jwt);
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => open(wallet!.id, recipient, { headers })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(CALLERS - 1);
  });

  it('is told to its user by mail', async () => {
    const person = await newOwner();
    await open(person.wallets[0]!.id, newRecipient('P256'), { jwt: person.jwt });
    const mail = test.app.get(DevInbox).entries.find(({ to }) => to === person.email);
    expect(JSON.stringify(mail)).toContain(person.wallets[0]!.publicKey);
  });

  it('is not fetched by another session, another user, for another wallet or too late', async () => {
    const [wallet, second] = owner.wallets;
    const before = (await exported()).length;
    const { roomId } = (await open(wallet!.id, newRecipient('X25519'))).body;
    const otherSession = await world.signIn(owner.email);
    const stranger = await newOwner();
    const refused = [
      await fetchBundle(wallet!.id, roomId, otherSession.jwt),
      await fetchBundle(wallet!.id, roomId, stranger.jwt),
      await fetchBundle(stranger.wallets[0]!.id, roomId, stranger.jwt),
      await fetchBundle(second!.id, roomId),
      await fetchBundle(wallet!.id, randomUUID()),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    await rowsOf(test, "UPDATE wallet_exports SET expires_at = now() - interval '1 second' WHERE id = $1", [roomId]);
    expect((await fetchBundle(wallet!.id, roomId)).status).toBe(404);
    expect(await exported()).toHaveLength(before);
  });

  it('of somebody else, or of a wallet that is hidden or not claimed, is not asked for', async () => {
    const stranger = await newOwner();
    const [wallet] = stranger.wallets;
    expect((await open(wallet!.id, newRecipient('P256'))).status).toBe(404);
    await rowsOf(test, 'UPDATE wallets SET claimed_at = NULL WHERE id = $1', [wallet!.id]);
    const unclaimed = await open(wallet!.id, newRecipient('P256'), { jwt: stranger.jwt });
    expect([unclaimed.status, unclaimed.body.code]).toEqual([422, 'wallet_not_claimed']);
    const hidden = world.sdk(`/users/embeddedWallets/${wallet!.id}/softDelete`);
    await world.anonymous.delete(hidden, { token: stranger.jwt, expect: 204 });
    expect((await open(wallet!.id, newRecipient('P256'), { jwt: stranger.jwt })).status).toBe(404);
  });

  it('that was asked for before the wallet was hidden stays where it is', async () => {
    const person = await newOwner();
    const [wallet] = person.wallets;
    const { roomId } = (await open(wallet!.id, newRecipient('P256'), { jwt: person.jwt })).body;
    const hidden = world.sdk(`/users/embeddedWallets/${wallet!.id}/softDelete`);
    await world.anonymous.delete(hidden, { token: person.jwt, expect: 204 });
    expect((await fetchBundle(wallet!.id, roomId, person.jwt)).status).toBe(404);
  });

  it('of a wallet that is hidden while the export is begun or the key is sealed stays where it is', async () => {
    const person = await newOwner();
    const [wallet, other] = person.wallets;
    const hide = (walletId: string) => {
      const path = world.sdk(`/users/embeddedWallets/${walletId}/softDelete`);
      return world.anonymous.delete(path, { token: person.jwt, expect: 204 });
    };
    const { roomId } = (await open(wallet!.id, newRecipient('P256'), { jwt: person.jwt })).body;
    const signer = test.app.get(WalletSigner, { strict: false });
    const make = signer.export.bind(signer);
    const made = jest.spyOn(signer, 'export').mockImplementationOnce(async (...asked) => {
      const message = await make(...asked);
      await hide(wallet!.id);
      return message;
    });
    const { status, body } = await fetchBundle(wallet!.id, roomId, person.jwt);
    expect([made.mock.calls.length, status, body.exportBundle]).toEqual([1, 404, undefined]);
    made.mockRestore();
    const stepUp = test.app.get(StepUp, { strict: false });
    const prove = stepUp.assertFresh.bind(stepUp);
    const proved = jest.spyOn(stepUp, 'assertFresh').mockImplementationOnce(async (...asked) => {
      await prove(...asked);
      await hide(other!.id);
    });
    expect((await open(other!.id, newRecipient('P256'), { jwt: person.jwt })).status).toBe(404);
    expect(proved).toHaveBeenCalledTimes(1);
    proved.mockRestore();
    expect(await rowsOf(test, 'SELECT id FROM wallet_exports WHERE wallet_id = $1', [other!.id])).toEqual([]);
  });

  it('is of the one address that the wallet has', async () => {
    const asked = { exportId: base58.encode(newRecipient('P256').publicKey), addressType: 'P2TR' };
    const headers = await proofOf(world, owner.jwt);
    const path = world.sdk(`/waas/${owner.wallets[0]!.id}/privateKey/export`);
    const { status, body } = await world.anonymous.post<{ code?: string }>(path, asked, { token: owner.jwt, headers });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a point that is not on the curve', Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)])],
    ['a key of another length', Buffer.alloc(33, 2)],
    ['a point of low order', Buffer.alloc(32)],
  ])('is never sealed to %s', async (_, publicKey) => {
    const { status, body } = await open(owner.wallets[0]!.id, { publicKey });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
  });

  describe('of a deployment that has keys wait for a day', () => {
    let waiting: TestApp;
    let there: World;
    beforeAll(async () => {
      const env = { ROLE: 'api', KEY_EXPORT_DELAY_HOURS: '24' };
      waiting = await startTestApp({ env, databaseUrl: test.databaseUrl });
      there = Object.assign(Object.create(World.prototype) as World, world, { test: waiting });
    });
    afterAll(() => waiting.close());

    const begin = async () => {
      const person = await newOwner();
      const [wallet] = person.wallets;
      const recipient = newRecipient('X25519');
      const options = { token: person.jwt, headers: await proofOf(there, person.jwt), expect: 200 };
      const request = { exportId: base58.encode(recipient.publicKey) };
      const path = there.sdk(`/waas/${wallet!.id}/privateKey/export`);
      const { roomId } = (await there.anonymous.post<{ roomId: string }>(path, request, options)).body;
      const at = there.sdk(`/users/embeddedWallets/${wallet!.id}/activities/${roomId}/export`);
      const fetched = () =>
        there.anonymous.get<{ exportBundle: string; code?: string; payload?: { availableAt: string } }>(at, {
          token: person.jwt,
        });
      return { person, wallet: wallet!, recipient, roomId, fetched };
    };
    const dayIsOver = (roomId: string) =>
      rowsOf(
        test,
        `UPDATE wallet_exports SET available_at = now(), expires_at = expires_at - interval '24 hours' WHERE id = $1`,
        [roomId],
      );

    it('is fetched once that day is over and not before, and its user hears of it at once', async () => {
      const { person, wallet, recipient, roomId, fetched } = await begin();
      const early = await fetched();
      expect([early.status, early.body.code]).toEqual([422, 'key_export_not_ready']);
      const availableAt = new Date(early.body.payload!.availableAt);
      const hours = (availableAt.getTime() - Date.now()) / 3_600_000;
      expect(Math.abs(24 - hours)).toBeLessThan(0.5);
      const mail = waiting.app.get(DevInbox).entries.find(({ to }) => to === person.email);
      expect(JSON.stringify(mail)).toContain(timeInMail(availableAt, 'en'));

      await dayIsOver(roomId);
      const answers = await Promise.all(Array.from({ length: CALLERS }, fetched));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(CALLERS - 1).fill(404)]);
      const { body } = answers.find(({ status }) => status === 200)!;
      const { enc, ciphertext } = JSON.parse(body.exportBundle) as Bundle;
      const info = infoOf(wallet.id, roomId, person.userId);
      const key = recipient.open(bytes(enc), bytes(ciphertext), info, Buffer.from(wallet.publicKey));
      expect(await LOADERS[wallet.chain](key)).toBe(wallet.publicKey);
    });

    it('is never fetched when the session that asked for it was ended', async () => {
      const { person, roomId, fetched } = await begin();
      await world.anonymous.post(world.sdk('/revoke'), undefined, { token: person.jwt, expect: 204 });
      await dayIsOver(roomId);
      expect((await fetched()).status).toBe(401);
    });

    it('is never fetched when its user has hidden the wallet meanwhile, whoever brings that back', async () => {
      const { person, wallet, roomId, fetched } = await begin();
      const own = world.sdk(`/users/embeddedWallets/${wallet.id}`);
      await world.anonymous.delete(`${own}/softDelete`, { token: person.jwt, expect: 204 });
      expect((await fetched()).status).toBe(404);
      await world.anonymous.put(`${own}/restore`, undefined, { token: person.jwt, expect: 204 });
      await dayIsOver(roomId);
      expect((await fetched()).status).toBe(404);
    });

    it('goes on when its user signs out of another session, and ends when they do there what the mail says', async () => {
      const { person, wallet, fetched } = await begin();
      const elsewhere = () => world.signIn(person.email);
      await world.anonymous.post(world.sdk('/revoke'), undefined, { token: (await elsewhere()).jwt, expect: 204 });
      expect((await fetched()).body.code).toBe('key_export_not_ready');
      const mail = waiting.app.get(DevInbox).entries.find(({ to }) => to === person.email);
      expect(JSON.stringify(mail)).toContain('hide the wallet in the application before then to cancel the export');
      const own = world.sdk(`/users/embeddedWallets/${wallet.id}`);
      await world.anonymous.delete(`${own}/softDelete`, { token: (await elsewhere()).jwt, expect: 204 });
      expect((await fetched()).status).toBe(404);
    });

    it('is gone when nobody came for it for another day', async () => {
      const { roomId, fetched } = await begin();
      const past =
        "UPDATE wallet_exports SET available_at = now() - interval '25 hours', expires_at = now() WHERE id = $1";
      await rowsOf(test, past, [roomId]);
      expect((await fetched()).status).toBe(404);
    });
  });

  it('does not begin where its user could not be told and it would leave a day later, and begins once they can be', async () => {
    const env = { ROLE: 'api', KEY_EXPORT_DELAY_HOURS: '24', RATE_LIMIT_SCALE: '1', MAILS_PER_HOUR: '1' };
    const silent = await startTestApp({ ownDatabase: true, env });
    try {
      const there = await World.create(silent);
      const person = await there.signIn(newEmail());
      const path = there.sdk('/users/embeddedWallets');
      const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
      await there.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
      const [wallet] = await rowsOf<{ id: string }>(silent, 'SELECT id FROM wallets WHERE user_id = $1', [
        person.userId,
      ]);
      const ask = async (by = there) => {
        const exportId = base58.encode(newRecipient('X25519').publicKey);
        const headers = await proofOf(by, person.jwt);
        const at = by.sdk(`/waas/${wallet!.id}/privateKey/export`);
        const options = { token: person.jwt, headers };
        const { status, body } = await by.anonymous.post<{ code?: string }>(at, { exportId }, options);
        return [status, body.code];
      };
      // The code of the sign-in was the one mail of the hour.
      expect(await ask()).toEqual([429, 'mail_budget_used_up']);
      const noServer = { ...env, MAILS_PER_HOUR: '1000', SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
      const mute = await startTestApp({ env: noServer, databaseUrl: silent.databaseUrl });
      const elsewhere = Object.assign(Object.create(World.prototype) as World, there, { test: mute });
      expect(await ask(elsewhere).finally(() => mute.close())).toEqual([503, 'mail_unavailable']);
      expect(await rowsOf(silent, 'SELECT id FROM wallet_exports')).toEqual([]);
      await rowsOf(silent, "UPDATE deployment_budgets SET started_at = started_at - interval '1 hour'");
      expect(await ask()).toEqual([200, undefined]);
      expect(await rowsOf(silent, 'SELECT id FROM wallet_exports')).toHaveLength(1);
    } finally {
      await silent.close();
    }
  });

  it('is asked for three times in an hour, and then no more: without a proof none counts, and the refusal uses none up', async () => {
    const limited = await startTestApp({ env: { ROLE: 'api', RATE_LIMIT_SCALE: '1' }, databaseUrl: test.databaseUrl });
    try {
      const person = await newOwner();
      const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
      const ask = async (headers: Record<string, string>) => {
        const exportId = base58.encode(newRecipient('X25519').publicKey);
        const path = there.sdk(`/waas/${person.wallets[0]!.id}/privateKey/export`);
        return (await there.anonymous.post(path, { exportId }, { token: person.jwt, headers })).status;
      };
      const statuses: number[] = [];
      for (let at = 0; at < 4; at++) statuses.push(await ask({}));
      const used = await proofOf(there, person.jwt);
      statuses.push(await ask(used), await ask(used), await ask(used));
      for (let at = 0; at < 2; at++) statuses.push(await ask(await proofOf(there, person.jwt)));
      expect(statuses).toEqual([403, 403, 403, 403, 200, 403, 403, 200, 200]);
      const kept = await proofOf(there, person.jwt);
      const refused = [await ask(kept), await ask(kept)];
      expect(refused).toEqual([429, 429]);
      // Another instance, which counts anew, as this one does an hour later.
      expect((await open(person.wallets[0]!.id, newRecipient('P256'), { jwt: person.jwt, headers: kept })).status).toBe(
        200,
      );
    } finally {
      await limited.close();
    }
  });
});
