import { readFile } from 'node:fs/promises';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { base58 } from '@scure/base';
import { DataSource } from 'typeorm';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import {
  fetchDealtShares,
  type Backups,
  type ShareSet,
  type StoredBackup,
  type WalletSecrets,
} from '../../clients/custody/src/index.js';
import { FillKeysOfUpgradedWallets20261128132000 } from '../../migrations/20261128132000-fill-keys-of-upgraded-wallets.js';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { WalletSigner } from '../../src/custody/signer/wallet-signer.js';
import { KeyRetirement } from '../../src/wallets/making/key-retirement.js';
import { MAX_SHARED_PER_USER } from '../../src/wallets/record/wallet-limits.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { sealFor } from '../support/hpke-open.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Wallet {
  id: string;
  chain: string;
  publicKey: string;
  properties: { version: string; settings?: object; keyvaultHDWalletId?: string };
}

interface Answer {
  code?: string;
  walletId: string;
  secret: string;
  signature: string;
  roomId: string;
  serverKeygenIds: string[];
  keyShares: StoredBackup[];
  user: { id: string; wallets: Wallet[] };
}

const TEXT = 'I agree.';
const REFUSED_SIGNATURES = [404, 409, 422];
const [PEOPLE, CALLS] = [5, 10];

describe('a wallet whose key the service holds', () => {
  let test: TestApp;
  let world: World;

  const post = (path: string, body: object, token: string) =>
    world.anonymous.post<Answer>(world.sdk(`/users/embeddedWallets${path}`), body, { token });
  const upgrade = ({ jwt }: SignedIn) => post('/upgradeToV2', {}, jwt);
  const sign = ({ jwt }: SignedIn, walletId: string) =>
    post(`/${walletId}/sign`, { kind: 'message', message: TEXT }, jwt);
  const walletsOf = async ({ userId }: SignedIn) => {
    const { body } = await world.api.get<Answer>(world.path(`/users/${userId}`), { expect: 200 });
    return body.user.wallets;
  };
  const seedsOf = ({ userId }: SignedIn) => rowsOf(test, 'SELECT id FROM wallet_seeds WHERE user_id = $1', [userId]);

  /** A user with wallets of one seed. */
  async function someone(chains: string[]) {
    const person = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains }];
    expect((await post('', { embeddedWallets }, person.jwt)).status).toBe(201);
    return { person, wallets: await walletsOf(person) };
  }

  /** A wallet on Solana, of a key that the user has brought along. */
  async function importKey(person: SignedIn): Promise<Wallet> {
    const { jwt: token, userId } = person;
    const key = randomBytes(32);
    const { address } = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(key));
    const request = { chain: 'SVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
    const opening = { token, headers: await proofOf(world, token), expect: 200 };
    const opened = await world.anonymous.post<Answer>(world.sdk('/waas/privateKey/import'), request, opening);
    const { roomId, serverKeygenIds } = opened.body;
    const recipient = Buffer.from(base58.decode(serverKeygenIds[1]!));
    const info = Buffer.from(`import/v1|${world.environmentId}|${userId}|SOL|${roomId}`);
    const { enc, ciphertext } = sealFor(recipient, key, info, Buffer.from(address));
    const offer = { enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url'), address };
    expect((await post(`/activities/${roomId}/import`, offer, token)).status).toBe(201);
    return (await walletsOf(person)).find(({ publicKey }) => publicKey === address)!;
  }

  const secretsOf = ({ jwt }: SignedIn): WalletSecrets => ({
    passcode: async (walletId) => {
      const path = world.sdk(`/users/embeddedWallets/passcode${walletId ? `?walletId=${walletId}` : ''}`);
      return (await world.anonymous.get<Answer>(path, { token: jwt, expect: 200 })).body;
    },
    backupKey: () => Promise.reject(new Error('Not asked for here.')),
  });
  const backupsOf = ({ jwt }: SignedIn): Backups => ({
    store: () => Promise.reject(new Error('Nothing is stored here.')),
    recover: async (walletId) => {
      const path = world.sdk(`/waas/${walletId}/keyShares/recover`);
      return (await world.anonymous.post<Answer>(path, {}, { token: jwt, expect: 200 })).body.keyShares;
    },
  });
  const fetchShares = (person: SignedIn, walletId?: string): Promise<ShareSet> =>
    fetchDealtShares(secretsOf(person), backupsOf(person), walletId);
  const verifies = (address: string, signature: Uint8Array): boolean =>
    ed25519Verify(Buffer.from(TEXT), base58.decode(address), Buffer.from(signature));

  /** Lets servers of the team sign with the wallet. @returns a signature of one of them */
  async function giveAccess({ jwt: token }: SignedIn, walletId: string): Promise<() => Promise<Answer['code']>> {
    await world.owner.put(world.path(''), { sdk: { waas: { delegatedAccess: { enabled: true } } } }, { expect: 200 });
    const encoding = { publicKeyEncoding: { type: 'spki', format: 'pem' }, modulusLength: 2048 } as const;
    const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
    const { publicKey } = generateKeyPairSync('rsa', { ...encoding, privateKeyEncoding });
    const at = `/waas/delegatedAccess/encryptionPublicKeys`;
    await world.api.post(world.path(at), { publicKey }, { expect: 201 });
    const credential = randomBytes(32);
    const random = (length: number): string => randomBytes(length).toString('base64url');
    const [iv, ct, tag, ek] = [random(12), random(32), random(16), random(256)];
    const delivery = {
      encryptedDelegatedShare: { alg: 'HYBRID-RSA-AES-256', iv, ct, tag, ek },
      credentialHash: createHash('sha256').update(credential).digest('hex'),
    };
    const headers = await proofOf(world, token);
    const path = world.sdk(`/waas/${walletId}/delegatedAccess/delivery`);
    await world.anonymous.post(path, delivery, { token, headers, expect: 202 });
    const server = world.anonymous.withToken(await world.mint(['waas.delegatedAccess.signMessage']));
    const shown = { headers: { 'x-delegation-credential': credential.toString('base64url') } };
    return async () => {
      const signing = world.path(`/waas/${walletId}/delegatedAccess/signMessage`);
      const { status, body } = await server.post<Answer>(signing, { message: TEXT }, shown);
      return status === 200 ? 'signed' : body.code;
    };
  }

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  it('becomes one with a shared key and the same address, which signs; the key is destroyed', async () => {
    const { person, wallets } = await someone(['SOL']);
    const [before] = wallets;
    const { status, body } = await upgrade(person);
    expect([status, body.user.id]).toEqual([201, person.userId]);
    const device = new Device(world, person.jwt);
    const dealt = await fetchShares(person);
    expect([dealt.walletId, dealt.address]).toEqual([before!.id, before!.publicKey]);
    const shares = await device.renew(dealt);
    const [after] = await walletsOf(person);
    expect([after!.id, after!.publicKey, after!.properties.version]).toEqual([before!.id, before!.publicKey, 'V3']);
    const { settings = null, keyvaultHDWalletId = null } = after!.properties;
    expect([settings, keyvaultHDWalletId]).toEqual([null, null]);
    expect(verifies(before!.publicKey, await device.sign(shares, TEXT))).toBe(true);
    expect(await seedsOf(person)).toEqual([]);
    const told = await eventsOf(test, world.environmentId, before!.id);
    expect(told.map(({ name }) => name)).toEqual(expect.arrayContaining(['wallet.upgraded', 'wallet.reshared']));
    const sql = `SELECT operation, reason FROM key_ledger WHERE user_id = $1 AND verdict = 'allowed' ORDER BY sequence`;
    const rows = await rowsOf<{ operation: string }>(test, sql, [person.userId]);
    expect(rows.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['create', 'recover', 'refresh', 'delete', 'sign']),
    );
  });

  it('signs as before until its shares were refreshed, and not with those that were dealt', async () => {
    const { person, wallets } = await someone(['SOL']);
    const { id } = wallets[0]!;
    await upgrade(person);
    const [waiting] = await walletsOf(person);
    expect(waiting!.properties).toMatchObject({ version: 'V1', settings: { shouldRefreshOnNextSignOn: true } });
    expect((await sign(person, id)).status).toBe(200);
    const path = world.sdk(`/waas/${id}/signMessage`);
    const shared = await world.anonymous.post<Answer>(path, { message: TEXT }, { token: person.jwt });
    expect([shared.status, shared.body.code]).toEqual([422, 'key_shares_dealt']);
    await new Device(world, person.jwt).renew(await fetchShares(person));
    expect((await sign(person, id)).status).not.toBe(200);
  });

  it('takes access that servers were given to it along to its end', async () => {
    const { person, wallets } = await someone(['SOL']);
    const { id } = wallets[0]!;
    const [{ id: seed }] = (await seedsOf(person)) as [{ id: string }];
    const serverSigns = await giveAccess(person, id);
    await upgrade(person);
    expect(await serverSigns()).toBe('signed');
    await new Device(world, person.jwt).renew(await fetchShares(person));
    expect(await serverSigns()).toBe('no_delegated_access_to_shared_keys');
    expect(await rowsOf(test, 'SELECT id FROM wallet_delegations WHERE wallet_id = $1', [id])).toEqual([]);
    const told = await eventsOf(test, world.environmentId, id);
    expect(told.map(({ name }) => name)).toContain('wallet.delegation.revoked');
    const sql = "SELECT keys_id FROM key_ledger WHERE user_id = $1 AND operation = 'delegate' AND reason = $2";
    expect(await rowsOf(test, sql, [person.userId, `upgrade of ${id}`])).toEqual([{ keys_id: seed }]);
  });

  it('keeps its seed until the last wallet of it was upgraded', async () => {
    const { person, wallets } = await someone(['SOL', 'SUI']);
    await upgrade(person);
    const device = new Device(world, person.jwt);
    for (const [at, { id }] of wallets.entries()) {
      expect((await seedsOf(person)).length).toBe(1);
      await device.renew(await fetchShares(person, id));
      const upgraded = (await walletsOf(person)).filter(({ properties }) => properties.version === 'V3');
      expect(upgraded).toHaveLength(at + 1);
    }
    expect(await seedsOf(person)).toEqual([]);
  });

  /** A user whose seed stays for the second of its two wallets: the first has a shared key already. */
  async function halfUpgraded() {
    const { person, wallets } = await someone(['SOL', 'SUI']);
    await upgrade(person);
    const device = new Device(world, person.jwt);
    await device.renew(await fetchShares(person, wallets[0]!.id));
    const [{ id: seed }] = (await seedsOf(person)) as [{ id: string }];
    return { person, seed, last: wallets[1]!, device };
  }

  it('keeps its seed for no wallet that is made meanwhile, since the key of the first would stay with it', async () => {
    const { person, last, device } = await halfUpgraded();
    const make = (chains: string[]) =>
      world.api.post<Answer>(world.path('/embeddedWallets'), { identifier: person.userId, type: 'id', chains });
    const before = await walletsOf(person);
    const refused = await make(['EVM', 'SOL']);
    expect([refused.status, refused.body.code]).toEqual([409, 'seed_being_shared']);
    expect(await walletsOf(person)).toEqual(before);
    // Those that are there are not made again.
    expect((await make(['SOL', 'SUI'])).status).toBe(200);
    await device.renew(await fetchShares(person, last.id));
    expect(await seedsOf(person)).toEqual([]);
    expect((await make(['EVM'])).status).toBe(201);
  });

  it('has its seed taken out of use with the last wallet of it, though the team deletes that', async () => {
    const { person, seed, last } = await halfUpgraded();
    await world.api.delete(world.path(`/wallets/${last.id}`), { expect: 204 });
    const ending = 'SELECT id, destroy_after IS NOT NULL AS "isEnding" FROM wallet_seeds WHERE user_id = $1';
    expect(await rowsOf(test, ending, [person.userId])).toEqual([{ id: seed, isEnding: true }]);
    const sql = "SELECT subject FROM key_ledger WHERE user_id = $1 AND operation = 'delete' AND keys_id = $2";
    expect(await rowsOf(test, sql, [person.userId, seed])).toEqual([{ subject: { graceDays: 30 } }]);
  });

  it('has its seed found if it was upgraded before that was noted, which then ends with the last wallet of it', async () => {
    const { person, seed, last } = await halfUpgraded();
    const { person: other } = await someone(['SOL', 'SUI']);
    const noted = async ({ userId }: SignedIn) => {
      const sql = 'SELECT upgraded_from AS "from" FROM wallets WHERE user_id = $1 ORDER BY chain';
      return (await rowsOf<{ from: string | null }>(test, sql, [userId])).map(({ from }) => from);
    };
    const before = await noted(person);
    await rowsOf(test, 'UPDATE wallets SET upgraded_from = NULL WHERE user_id = $1', [person.userId]);
    const runner = test.app.get(DataSource).createQueryRunner();
    await new FillKeysOfUpgradedWallets20261128132000().up(runner);
    await runner.release();
    expect(before).toContain(seed);
    expect(await noted(person)).toEqual(before);
    expect(await noted(other)).toEqual([null, null]);
    await world.api.delete(world.path(`/wallets/${last.id}`), { expect: 204 });
    const live = 'SELECT id FROM wallet_seeds WHERE user_id = $1 AND destroy_after IS NULL';
    expect(await rowsOf(test, live, [person.userId])).toEqual([]);
  });

  it('has its seed found by the query for operators if that stayed although no wallet is made from it', async () => {
    const { person, seed, last } = await halfUpgraded();
    const page = await readFile(new URL('../../docs/threshold.md', import.meta.url), 'utf8');
    const [, query = ''] = /```sql\n(SELECT s\.environment_id[^`]*);\n```/.exec(page) ?? [];
    const found = async () => (await rowsOf<{ id: string }>(test, query, [])).filter(({ id }) => id === seed);
    await rowsOf(test, 'UPDATE wallets SET upgraded_from = NULL WHERE user_id = $1', [person.userId]);
    expect(await found()).toEqual([]);
    await world.api.delete(world.path(`/wallets/${last.id}`), { expect: 204 });
    expect(await found()).toMatchObject([{ id: seed, user_id: person.userId }]);
    await rowsOf(test, `UPDATE wallet_seeds SET destroy_after = now() + interval '30 days' WHERE id = $1`, [seed]);
    expect(await found()).toEqual([]);
    const wanted = { identifier: person.userId, type: 'id', chains: ['EVM'] };
    expect((await world.api.post<Answer>(world.path('/embeddedWallets'), wanted)).status).toBe(201);
    expect((await seedsOf(person)).length).toBe(2);
  });

  it('keeps its seed when the team deletes the last wallet of it before any has a shared key', async () => {
    const { person, wallets } = await someone(['SOL']);
    await upgrade(person);
    await world.api.delete(world.path(`/wallets/${wallets[0]!.id}`), { expect: 204 });
    const live = 'SELECT id FROM wallet_seeds WHERE user_id = $1 AND destroy_after IS NULL';
    expect(await rowsOf(test, live, [person.userId])).toHaveLength(1);
  });

  it('is left alone where another wallet needs the seed, and where there is none', async () => {
    const { person } = await someone(['EVM', 'SOL']);
    const refused = await upgrade(person);
    expect([refused.status, refused.body.code]).toEqual([422, 'seed_still_needed']);
    const { person: other } = await someone(['EVM']);
    expect((await upgrade(other)).body.code).toBe('no_v1_embedded_wallet_found');
    const sql = 'SELECT id FROM key_share_sets WHERE user_id = ANY($1::uuid[])';
    expect(await rowsOf(test, sql, [[person.userId, other.userId]])).toEqual([]);
  });

  it('is upgraded beside one whose seed is still needed', async () => {
    const { person } = await someone(['EVM', 'SOL']);
    const [{ id: seed }] = (await seedsOf(person)) as [{ id: string }];
    const imported = await importKey(person);
    expect(await seedsOf(person)).toHaveLength(2);
    expect((await upgrade(person)).status).toBe(201);
    const dealt = await rowsOf(test, 'SELECT wallet_id FROM wallet_secrets WHERE user_id = $1', [person.userId]);
    expect(dealt).toEqual([{ wallet_id: imported.id }]);
    await new Device(world, person.jwt).renew(await fetchShares(person));
    const versions = (await walletsOf(person)).map(({ id, properties }) => [id === imported.id, properties.version]);
    expect(versions.sort()).toEqual([
      [false, 'V1'],
      [false, 'V1'],
      [true, 'V3'],
    ]);
    expect(await seedsOf(person)).toEqual([{ id: seed }]);
    expect((await upgrade(person)).body.code).toBe('seed_still_needed');
  });

  it('is not upgraded where its user has as many shared keys as may be, and is when there is one less', async () => {
    const { person, wallets } = await someone(['SOL']);
    const { id } = wallets[0]!;
    await upgrade(person);
    const dealt = await fetchShares(person);
    const versionOf = async () => (await rowsOf(test, 'SELECT version FROM wallets WHERE id = $1', [id]))[0];
    const others = await rowsOf<{ id: string }>(
      test,
      `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, seed_id, version, claimed_at)
       SELECT environment_id, gen_random_uuid(), user_id, kind, name, chain, concat(address, n), provider,
         gen_random_uuid(), 'V3', now()
       FROM wallets, generate_series(1, $2::int) n WHERE id = $1 RETURNING id`,
      [id, MAX_SHARED_PER_USER],
    );
    const device = new Device(world, person.jwt);
    await expect(device.renew(dealt)).rejects.toThrow('too_many_wallets');
    expect([await versionOf(), (await seedsOf(person)).length]).toEqual([{ version: 'V1' }, 1]);
    await rowsOf(test, 'DELETE FROM wallets WHERE id = $1', [others[0]!.id]);
    await device.renew(dealt);
    expect([await versionOf(), await seedsOf(person)]).toEqual([{ version: 'V3' }, []]);
  });

  it('is not upgraded by a session that has proved nothing for five minutes', async () => {
    const { person } = await someone(['SOL']);
    await rowsOf(test, "UPDATE sessions SET created_at = now() - interval '6 minutes' WHERE id = $1", [
      person.sessionId,
    ]);
    const { status, body } = await upgrade(person);
    expect([status, body.code]).toEqual([403, 'fresh_proof_required']);
    expect(await rowsOf(test, 'SELECT id FROM key_share_sets WHERE user_id = $1', [person.userId])).toEqual([]);
  });

  it('is what it was when the last step fails, down to its seed, and is upgraded by the next refresh', async () => {
    const { person, wallets } = await someone(['SOL']);
    const { id } = wallets[0]!;
    await upgrade(person);
    const dealt = await fetchShares(person);
    const device = new Device(world, person.jwt);
    const retire = jest.spyOn(test.app.get(KeyRetirement), 'retire');
    retire.mockRejectedValueOnce(new Error('The machine has gone away.'));
    await expect(device.renew(dealt)).rejects.toThrow();
    retire.mockRestore();
    const [left] = await walletsOf(person);
    expect(left!.properties).toMatchObject({ version: 'V1', settings: { shouldRefreshOnNextSignOn: true } });
    expect((await seedsOf(person)).length).toBe(1);
    expect((await sign(person, id)).status).toBe(200);
    await device.renew(dealt);
    const [upgraded] = await walletsOf(person);
    expect(upgraded!.properties.version).toBe('V3');
    expect(await seedsOf(person)).toEqual([]);
  });

  it('has its shares dealt once, however many ask at once', async () => {
    const { person, wallets } = await someone(['SOL']);
    const answers = await Promise.all(Array.from({ length: 50 }, () => upgrade(person)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    const count = async (table: string): Promise<number> =>
      (
        await rowsOf<{ count: number }>(test, `SELECT count(*)::int AS count FROM ${table} WHERE user_id = $1`, [
          person.userId,
        ])
      )[0]!.count;
    expect([await count('key_share_sets'), await count('wallet_secrets'), await count('key_share_backups')]).toEqual([
      1, 1, 1,
    ]);
    expect((await fetchShares(person)).walletId).toBe(wallets[0]!.id);
  });

  it('gets no shares if it is hidden while they are dealt', async () => {
    const { person, wallets } = await someone(['SOL']);
    const signer = test.app.get(WalletSigner, { strict: false });
    const deal = signer.deal.bind(signer);
    const dealing = jest.spyOn(signer, 'deal').mockImplementationOnce(async (...asked) => {
      const dealt = await deal(...asked);
      const hidden = world.sdk(`/users/embeddedWallets/${wallets[0]!.id}/softDelete`);
      await world.anonymous.delete(hidden, { token: person.jwt, expect: 204 });
      return dealt;
    });
    await upgrade(person);
    expect(dealing).toHaveBeenCalledTimes(1);
    dealing.mockRestore();
    expect(await rowsOf(test, 'SELECT id FROM key_share_sets WHERE user_id = $1', [person.userId])).toEqual([]);
  });

  it('signs by one key or the other while it is upgraded: no signature of the old one is answered after it', async () => {
    const begun: { person: SignedIn; wallet: Wallet; dealt: ShareSet }[] = [];
    for (let at = 0; at < PEOPLE; at++) {
      const { person, wallets } = await someone(['SOL']);
      await upgrade(person);
      begun.push({ person, wallet: wallets[0]!, dealt: await fetchShares(person) });
    }
    const beside = begun.map(async ({ person, wallet, dealt }) => {
      const device = new Device(world, person.jwt);
      const [shares, ...signed] = await Promise.all([
        device.renew(dealt),
        ...Array.from({ length: CALLS }, () => sign(person, wallet.id)),
      ]);
      return { person, wallet, device, shares, statuses: signed.map(({ status }) => status) };
    });
    for (const { person, wallet, device, shares, statuses } of await Promise.all(beside)) {
      for (const status of statuses) expect([200, ...REFUSED_SIGNATURES]).toContain(status);
      const sql = `SELECT operation FROM key_ledger
        WHERE user_id = $1 AND verdict = 'allowed' AND operation IN ('sign', 'refresh') ORDER BY sequence`;
      const rows = await rowsOf<{ operation: string }>(test, sql, [person.userId]);
      expect(rows.at(-1)!.operation).toBe('refresh');
      const answered = statuses.filter((status) => status === 200);
      expect(rows.filter(({ operation }) => operation === 'sign')).toHaveLength(answered.length);
      expect(verifies(wallet.publicKey, await device.sign(shares, TEXT))).toBe(true);
    }
  });
});
