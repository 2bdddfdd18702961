import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { base58 } from '@scure/base';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  createWallet,
  KeyGeneration,
  openBackup,
  recoverShares,
  sealBackup,
  signInRoom,
  signingShares,
  type Backups,
  type ShareSet,
  type StoredBackup,
} from '../../clients/custody/src/index.js';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { PurposeTokens } from '../../src/identity/sessions/purpose-tokens.js';
import { RateLimiter } from '../../src/auth/index.js';
import { KeyVaultUnavailableError } from '../../src/vault/index.js';
import { BackupCopies } from '../../src/waas/backups/backup-copies.js';
import { GoogleDrive } from '../../src/waas/backups/google-drive.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/receiver.js';
import { addOauthAccount } from '../support/oauth-account.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { roomsOf } from '../support/shared-wallet.js';
import { VendorServer, type VendorReply } from '../support/vendor-server.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Answer {
  code?: string;
  error?: unknown;
  token: string;
  keyShares: (StoredBackup & { externalKeyShareId?: string })[];
  message: string;
  walletId: string;
  location: string;
  locationsWithKeyShares: { location: string; keyShareId: string; externalKeyShareId: string }[];
  payload?: { retryAfterSeconds?: number; scheme?: string };
}

const TEXT = 'I agree.';
/** As long as a device encrypts to, and nothing else in the database. */
const newCredential = (): string => JSON.stringify({ v: 1, ciphertext: randomBytes(64).toString('base64url') });

describe('copies of the shares of a key', () => {
  let test: TestApp;
  let world: World;
  let drives: VendorServer;
  let reply: VendorReply = { json: { id: 'a-file' } };
  let owner: SignedIn;
  let shares: ShareSet;

  const post = (path: string, body: object | undefined, token = owner.jwt, tenant = world) =>
    tenant.anonymous.post<Answer>(tenant.sdk(`/waas/${path}`), body, { token });
  const store = (walletId: string, credentials: string[], token = owner.jwt) =>
    post(`${walletId}/keyShares/backup`, { encryptedAccountCredentials: credentials, passwordEncrypted: true }, token);
  const recover = (walletId: string, body: object | undefined = {}, token = owner.jwt) =>
    post(`${walletId}/keyShares/recover`, body, token);
  const someone = (tenant = world): Promise<SignedIn> => tenant.signIn(newEmail());
  const make = async (scheme: 'TWO_OF_TWO' | 'TWO_OF_THREE', person = owner, tenant = world): Promise<ShareSet> => {
    const generation = await KeyGeneration.begin(scheme, 'SVM');
    const request = { chain: 'SVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: scheme };
    const path = tenant.sdk('/waas/create');
    const options = { token: person.jwt, expect: 200 };
    const { body } = await tenant.anonymous.post<{ roomId: string }>(path, request, options);
    const rooms = roomsOf(tenant, person.jwt);
    return createWallet(rooms, tenant.environmentId, generation, body, () => Promise.resolve());
  };
  const another = async (scheme: 'TWO_OF_TWO' | 'TWO_OF_THREE' = 'TWO_OF_TWO') => {
    const person = await someone();
    return { person, shares: await make(scheme, person) };
  };
  const ledgerOf = (walletId: string, operation: string) =>
    rowsOf<{ verdict: string; reason: string }>(
      test,
      `SELECT verdict, reason FROM key_ledger
       WHERE environment_id = $1 AND operation = $3 AND subject->>'walletId' = $2 ORDER BY sequence`,
      [world.environmentId, walletId, operation],
    );
  /** As a refresh on another device does. */
  const replaceShares = (walletId: string) =>
    rowsOf(
      test,
      `UPDATE key_share_sets k SET generation = generation + 1 FROM wallets w
       WHERE w.id = $1 AND k.environment_id = w.environment_id AND k.id = w.seed_id`,
      [walletId],
    );
  const age = ({ sessionId }: SignedIn) =>
    rowsOf(test, "UPDATE sessions SET created_at = now() - interval '6 minutes' WHERE id = $1", [sessionId]);
  const rowsOfWallet = (walletId: string) =>
    rowsOf<{ location: string }>(
      test,
      'SELECT location FROM key_share_backups WHERE wallet_id = $1 ORDER BY location',
      [walletId],
    ).then((rows) => rows.map(({ location }) => location));
  const backupsOf = (person: SignedIn): Backups => ({
    store: async ({ walletId }, credentials) => (await store(walletId, [...credentials], person.jwt)).body.keyShares,
    recover: async (walletId) => (await recover(walletId, {}, person.jwt)).body.keyShares,
  });

  beforeAll(async () => {
    drives = await VendorServer.start({ drive: () => reply });
    const addresses = { google: { api: `${drives.origin}/drive` } };
    test = await startTestApp({
      // Every row of it is searched.
      ownDatabase: true,
      env: { PROVIDER_ADDRESSES: JSON.stringify(addresses) },
    });
    world = await World.create(test);
    owner = await someone();
    shares = await make('TWO_OF_TWO');
  });
  afterAll(async () => {
    await test.close();
    await drives.close();
  });

  describe('give a wallet back', () => {
    it('to a user whose device is lost, who signs with it again', async () => {
      const { person, shares: device } = await another();
      const lock = { secret: new Uint8Array(randomBytes(32)) };
      const sealed = await sealBackup(device, lock);
      const request = { encryptedAccountCredentials: [sealed], passwordEncrypted: false };
      await post(`${device.walletId}/keyShares/backup`, request, person.jwt);
      const newDevice = await world.signIn(person.email);
      const recovered = await recoverShares(backupsOf(newDevice), device.walletId, lock);
      const opened = await post(`${device.walletId}/signMessage`, { message: TEXT }, newDevice.jwt);
      const { roomId } = opened.body as unknown as { roomId: string };
      const wanted = { chain: 'SVM', kind: 'message', bytes: Buffer.from(TEXT) } as const;
      const { signature } = await signInRoom(roomsOf(world, newDevice.jwt), recovered, wanted, roomId);
      expect(ed25519Verify(Buffer.from(TEXT), base58.decode(device.address), Buffer.from(signature))).toBe(true);
    });

    it('of two of three, with the one share that was backed up; not when both of the user are lost', async () => {
      const { person, shares: device } = await another('TWO_OF_THREE');
      const lock = { secret: new Uint8Array(randomBytes(32)) };
      await store(device.walletId, [await sealBackup(device, lock, [2])], person.jwt);
      const { body } = await recover(device.walletId, undefined, person.jwt);
      const left = await openBackup(body.keyShares[0]!.encryptedAccountCredential!, lock);
      expect(left.secrets.map(({ id }) => id)).toEqual([2]);
      const { body: opened } = await post(`${device.walletId}/signMessage`, { message: TEXT }, person.jwt);
      const { roomId } = opened as unknown as { roomId: string };
      const rooms = roomsOf(world, person.jwt);
      const wanted = { chain: 'SVM', kind: 'message', bytes: Buffer.from(TEXT) } as const;
      const { signature } = await signInRoom(rooms, left, wanted, roomId);
      expect(ed25519Verify(Buffer.from(TEXT), base58.decode(device.address), Buffer.from(signature))).toBe(true);
      const nothing = signingShares({ ...left, secrets: [] }, [], Buffer.from(TEXT));
      const { body: alone } = await post(`${device.walletId}/signMessage`, { message: TEXT }, person.jwt);
      const path = `rooms/${(alone as unknown as { roomId: string }).roomId}/messages`;
      expect((await post(path, { message: nothing }, person.jwt)).status).toBe(422);
    });
  });

  describe('that the service keeps', () => {
    it('are shown with the wallet, told, in the ledger, and replaced by newer ones', async () => {
      const { walletId } = shares;
      const first = await store(walletId, [newCredential()]);
      expect([first.status, first.body.keyShares]).toMatchObject([
        201,
        [{ backupLocation: 'platform', passwordEncrypted: true }],
      ]);
      const second = await store(walletId, [newCredential(), newCredential()]);
      expect(second.body.keyShares).toHaveLength(2);
      expect(await rowsOfWallet(walletId)).toEqual(['platform', 'platform']);
      expect((await ledgerOf(walletId, 'backup')).map(({ verdict }) => verdict)).toEqual(['allowed', 'allowed']);
      const told = (await eventsOf(test, world.environmentId, walletId)).filter(
        ({ name }) => name === 'wallet.backedUp',
      );
      expect(told.at(-1)!.data).toMatchObject({ userId: owner.userId, chain: 'SOL', locations: ['platform'] });
      const { body } = await world.api.get<{ user: { wallets: { id: string; properties: Answer }[] } }>(
        world.path(`/users/${owner.userId}`),
      );
      const shown = body.user.wallets.find(({ id }) => id === walletId)!.properties.keyShares;
      expect(shown.map(({ id }) => id).sort()).toEqual(second.body.keyShares.map(({ id }) => id).sort());
    });

    it('stay one set, however many devices back up at once', async () => {
      const { person, shares: device } = await another();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => store(device.walletId, [newCredential()], person.jwt)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(await rowsOfWallet(device.walletId)).toEqual(['platform']);
    });

    it('are not replaced by a device that missed a refresh, nor does it record copies elsewhere', async () => {
      const { person, shares: device } = await another();
      const path = `${device.walletId}/keyShares/backup`;
      await replaceShares(device.walletId);
      const good = newCredential();
      const sent = (credential: string, generation: number) => ({
        encryptedAccountCredentials: [credential],
        passwordEncrypted: true,
        generation,
      });
      expect((await post(path, sent(good, 2), person.jwt)).status).toBe(201);
      const locations = [{ location: 'icloud' }];
      for (const generation of [1, 3]) {
        const refused = [
          await post(path, sent(newCredential(), generation), person.jwt),
          await post(`${path}/location`, { location: 'icloud', generation }, person.jwt),
          await post(`${path}/locations`, { locations, generation }, person.jwt),
          await world.api.post<Answer>(world.path(`/waas/${path}/locations`), {
            userId: person.userId,
            locations,
            generation,
          }),
        ];
        for (const { status, body } of refused) {
          expect([status, body.code, body.payload]).toEqual([422, 'key_share_backup_stale', { generation: 2 }]);
        }
      }
      expect((await post(path, sent(good, 0), person.jwt)).status).toBe(400);
      expect(await rowsOfWallet(device.walletId)).toEqual(['platform']);
      // Without a body all of them are asked for.
      const { body } = await post(`${device.walletId}/keyShares/recover`, undefined, person.jwt);
      expect(body.keyShares.map((one) => one.encryptedAccountCredential)).toEqual([good]);
      expect((await post(`${path}/locations`, { locations, generation: 2 }, person.jwt)).status).toBe(201);
    });

    it('are written thirty times an hour by a user, before anything is sealed', async () => {
      const { person, shares: device } = await another();
      const limiter = test.app.get(RateLimiter, { strict: false });
      const taken: unknown[] = [];
      const take = limiter.take.bind(limiter);
      const spy = jest.spyOn(limiter, 'take').mockImplementation((rule, key) => {
        if (rule.name !== 'key-share-backups') return take(rule, key);
        taken.push([rule.limit, rule.windowSeconds, key]);
        return 60;
      });
      const path = `${device.walletId}/keyShares/backup`;
      const answers = [
        await store(device.walletId, [newCredential()], person.jwt),
        await post(`${path}/location`, { location: 'icloud' }, person.jwt),
        await post(`${path}/locations`, { locations: [{ location: 'icloud' }] }, person.jwt),
      ];
      spy.mockRestore();
      expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
      expect(taken).toEqual(answers.map(() => [30, 3_600, `${world.environmentId}:${person.userId}`]));
      expect(await rowsOfWallet(device.walletId)).toEqual([]);
    });

    it('are not replaced without a proof of the last five minutes; the first one is stored without', async () => {
      const { person, shares: device } = await another();
      await age(person);
      const credentials = Array.from({ length: 20 }, newCredential);
      const answers = await Promise.all(credentials.map((one) => store(device.walletId, [one], person.jwt)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status, body }) => status === 403 && body.code === 'fresh_proof_required');
      expect(refused).toHaveLength(19);
      const kept = credentials[answers.findIndex(({ status }) => status === 201)];
      const again = await world.signIn(person.email);
      const { body } = await recover(device.walletId, {}, again.jwt);
      expect(body.keyShares.map((one) => one.encryptedAccountCredential)).toEqual([kept]);
      expect((await store(device.walletId, [newCredential()], again.jwt)).status).toBe(201);
      await replaceShares(device.walletId);
      expect((await store(device.walletId, [newCredential()], person.jwt)).status).toBe(201);
    });

    it('are neither told nor in the ledger again when nothing changes, whoever sends them or is told of them', async () => {
      const { person, shares: device } = await another();
      const { walletId } = device;
      const path = `${walletId}/keyShares/backup`;
      const credentials = [newCredential(), newCredential()];
      const locations = [{ location: 'icloud' }];
      const first = await store(walletId, credentials, person.jwt);
      await post(`${path}/locations`, { locations }, person.jwt);
      const written = async () => ({
        ledger: (await ledgerOf(walletId, 'backup')).length,
        events: (await eventsOf(test, world.environmentId, walletId)).filter(({ name }) => name === 'wallet.backedUp')
          .length,
        rows: await rowsOf(test, 'SELECT t::text FROM key_share_backups t WHERE wallet_id = $1 ORDER BY id', [
          walletId,
        ]),
      });
      const before = await written();
      expect(before).toMatchObject({ ledger: 2, events: 2 });
      // Nothing is replaced, so that no proof is asked for.
      await age(person);
      const again = await Promise.all([
        ...Array.from({ length: 10 }, () => store(walletId, credentials.toReversed(), person.jwt)),
        ...Array.from({ length: 10 }, () => post(`${path}/locations`, { locations }, person.jwt)),
      ]);
      expect(again.map(({ status }) => status)).toEqual(again.map(() => 201));
      const ids = (answer: { body: Answer }) => answer.body.keyShares.map(({ id }) => id).sort();
      expect(ids(again[0]!)).toEqual(ids(first));
      await post(`${path}/location`, { location: 'icloud' }, person.jwt);
      await world.api.post(
        world.path(`/waas/${path}/locations`),
        { userId: person.userId, locations },
        { expect: 201 },
      );
      expect(await written()).toEqual(before);
      // Others, fewer of them, or the same with another lock, take the place of what was there.
      const recent = await world.signIn(person.email);
      await store(walletId, credentials.slice(1), recent.jwt);
      const plain = { encryptedAccountCredentials: credentials.slice(1), passwordEncrypted: false };
      expect((await post(path, plain, recent.jwt)).body.keyShares).toMatchObject([{ passwordEncrypted: false }]);
      expect(await written()).toMatchObject({ ledger: 4, events: 4 });
      expect(await rowsOfWallet(walletId)).toEqual(['icloud', 'platform']);
    });

    it('are in no table as the device has sent them', async () => {
      const credential = newCredential();
      await store(shares.walletId, [credential]);
      const { ciphertext } = JSON.parse(credential) as { ciphertext: string };
      const forms = [ciphertext, Buffer.from(ciphertext).toString('hex'), Buffer.from(ciphertext).toString('base64')];
      const tables = await rowsOf<{ name: string }>(
        test,
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
      );
      expect(tables.map(({ name }) => name)).toContain('key_share_backups');
      for (const { name } of tables) {
        const sql = `SELECT count(*)::int AS count FROM ${name} t WHERE EXISTS (
          SELECT FROM unnest($1::text[]) form WHERE position(form IN t::text) > 0)`;
        expect([name, ...(await rowsOf<{ count: number }>(test, sql, [forms]))]).toEqual([name, { count: 0 }]);
      }
      const { body } = await recover(shares.walletId);
      expect(body.keyShares.map((one) => one.encryptedAccountCredential)).toEqual([credential]);
    });

    it('are refused when they are longer than 4096 characters, empty, too many, or no text', async () => {
      const before = await rowsOfWallet(shares.walletId);
      for (const credentials of [['x'.repeat(4_097)], [''], [], ['a', 'b', 'c', 'd'], [1], 'a']) {
        const { status, body } = await store(shares.walletId, credentials as string[]);
        expect([status, body.code]).toEqual([400, 'validation_failed']);
      }
      expect(await rowsOfWallet(shares.walletId)).toEqual(before);
      expect((await store(shares.walletId, ['x'.repeat(4_096)])).status).toBe(201);
    });
  });

  describe('leave the service', () => {
    it('not while the vault is away, which takes none of the five times', async () => {
      const { person, shares: device } = await another();
      await store(device.walletId, [newCredential()], person.jwt);
      const away = jest
        .spyOn(test.app.get(BackupCopies), 'open')
        .mockRejectedValue(new KeyVaultUnavailableError('The vault is away.'));
      try {
        const path = world.sdk(`/waas/${device.walletId}/keyShares/recover`);
        const headers = { authorization: `Bearer ${person.jwt}`, 'content-type': 'application/json' };
        for (let call = 0; call < 6; call++) {
          const refused = await fetch(`${test.url}/api/v0${path}`, { method: 'POST', headers, body: '{}' });
          expect(refused.status).toBe(503);
        }
      } finally {
        away.mockRestore();
      }
      const answers = await Promise.all(Array.from({ length: 6 }, () => recover(device.walletId, {}, person.jwt)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    });

    it('five times a day, of 50 calls at once too, and a refusal is in the ledger', async () => {
      const { person, shares: device } = await another();
      await store(device.walletId, [newCredential()], person.jwt);
      const answers = await Promise.all(Array.from({ length: 50 }, () => recover(device.walletId, {}, person.jwt)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      const refused = answers.filter(({ body }) => body.code === 'too_many_recoveries');
      expect(refused).toHaveLength(45);
      expect(refused.every(({ body }) => !JSON.stringify(body).includes('ciphertext'))).toBe(true);
      expect(refused[0]!.body.payload!.retryAfterSeconds).toBeGreaterThan(23 * 3_600);
      const verdicts = (await ledgerOf(device.walletId, 'recover')).map(({ verdict }) => verdict);
      expect(verdicts.filter((verdict) => verdict === 'allowed')).toHaveLength(5);
      expect(verdicts.filter((verdict) => verdict === 'too_many_recoveries')).toHaveLength(45);
      const told = await eventsOf(test, world.environmentId, device.walletId);
      expect(told.filter(({ name }) => name === 'wallet.recovered')).toHaveLength(5);
      // Another backup is no new beginning; another day is.
      await store(device.walletId, [newCredential()], person.jwt);
      expect((await recover(device.walletId, {}, person.jwt)).body.code).toBe('too_many_recoveries');
      const sql = "UPDATE key_share_recoveries SET first_at = now() - interval '25 hours' WHERE wallet_id = $1";
      await rowsOf(test, sql, [device.walletId]);
      expect((await recover(device.walletId, {}, person.jwt)).status).toBe(200);
    });

    it('only after a proof of the last five minutes', async () => {
      const { person, shares: device } = await another();
      await store(device.walletId, [newCredential()], person.jwt);
      await age(person);
      const refused = await recover(device.walletId, {}, person.jwt);
      expect([refused.status, refused.body.code]).toEqual([403, 'fresh_proof_required']);
      const again = await world.signIn(person.email);
      expect((await recover(device.walletId, {}, again.jwt)).status).toBe(200);
    });

    it('not for a stranger, another environment, or a wallet that is not shared or not there', async () => {
      const stranger = await someone();
      const elsewhere = await World.create(test);
      const foreigner = await someone(elsewhere);
      const body = { encryptedAccountCredentials: [newCredential()], passwordEncrypted: true };
      const calls: [string, object][] = [
        ['keyShares/backup', body],
        ['keyShares/backup/googleDrive', {}],
        ['keyShares/backup/location', { location: 'icloud' }],
        ['keyShares/backup/locations', { locations: [{ location: 'icloud' }] }],
        ['keyShares/recover', {}],
      ];
      const before = await rowsOfWallet(shares.walletId);
      for (const [path, sent] of calls) {
        const mine = await post(`${shares.walletId}/${path}`, sent, stranger.jwt);
        const theirs = await post(`${shares.walletId}/${path}`, sent, foreigner.jwt, elsewhere);
        const crossed = await post(`${shares.walletId}/${path}`, sent, foreigner.jwt);
        expect([path, mine.status, theirs.status, crossed.status]).toEqual([path, 404, 404, 401]);
      }
      expect(await rowsOfWallet(shares.walletId)).toEqual(before);
    });

    it('not when there are none, nor those of shares that were replaced; neither counts', async () => {
      const { person, shares: device } = await another();
      expect((await recover(device.walletId, {}, person.jwt)).body.code).toBe('key_share_backup_missing');
      const { body } = await store(device.walletId, [newCredential()], person.jwt);
      const keyShareIds = body.keyShares.map(({ id }) => id);
      const none = await recover(device.walletId, { keyShareIds: [] }, person.jwt);
      expect([none.status, none.body]).toEqual([200, { keyShares: [] }]);
      const unknown = await recover(device.walletId, { keyShareIds: [device.walletId] }, person.jwt);
      expect(unknown.status).toBe(404);
      await replaceShares(device.walletId);
      for (const asked of [{}, { keyShareIds }]) {
        expect((await recover(device.walletId, asked, person.jwt)).body.code).toBe('key_share_backup_stale');
      }
      expect(
        await rowsOf(test, 'SELECT tries FROM key_share_recoveries WHERE wallet_id = $1', [device.walletId]),
      ).toEqual([]);
      await store(device.walletId, [newCredential()], person.jwt);
      expect(await rowsOfWallet(device.walletId)).toEqual(['platform']);
      expect((await recover(device.walletId, {}, person.jwt)).status).toBe(200);
    });

    it('and are gone with the user', async () => {
      const { person, shares: device } = await another();
      await store(device.walletId, [newCredential()], person.jwt);
      await world.api.delete(world.path(`/users/${person.userId}`), { expect: 204 });
      expect(await rowsOfWallet(device.walletId)).toEqual([]);
    });
  });

  describe('that are elsewhere', () => {
    it('are recorded once for each place and id, all or none', async () => {
      const { person, shares: device } = await another();
      const path = `${device.walletId}/keyShares/backup`;
      const one = await post(`${path}/location`, { location: 'icloud' }, person.jwt);
      expect([one.status, one.body]).toMatchObject([201, { walletId: device.walletId, location: 'icloud' }]);
      const externalKeyShareId = '0197f3a0-0000-7000-8000-00000000000b';
      const locations = [
        { location: 'icloud' },
        { location: 'external', externalKeyShareId, keygenId: 'phone', thresholdSignatureScheme: 'TWO_OF_TWO' },
      ];
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post(`${path}/locations`, { locations }, person.jwt)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(answers[0]!.body.locationsWithKeyShares[1]).toMatchObject({ location: 'external', externalKeyShareId });
      expect(await rowsOfWallet(device.walletId)).toEqual(['external', 'icloud']);
      for (const refused of [
        { location: 'platform' },
        { location: 'delegated' },
        { location: 'external', thresholdSignatureScheme: 'TWO_OF_THREE' },
      ]) {
        const both = [{ location: 'googleDrive' }, refused];
        const { status, body } = await post(`${path}/locations`, { locations: both }, person.jwt);
        expect([status, body.code]).toEqual([422, expect.stringMatching(/^backup_(location|scheme)_/)]);
      }
      const noId = [{ location: 'external', externalKeyShareId: 'mine' }];
      expect((await post(`${path}/locations`, { locations: noId }, person.jwt)).status).toBe(400);
      expect(await rowsOfWallet(device.walletId)).toEqual(['external', 'icloud']);
      const { body } = await recover(device.walletId, {}, person.jwt);
      expect(body.keyShares.map(({ backupLocation }) => backupLocation)).toEqual(['icloud', 'external']);
      expect(body.keyShares.some((share) => 'encryptedAccountCredential' in share)).toBe(false);
    });

    it('are one copy where a request names a place twice', async () => {
      const { person, shares: device } = await another();
      const path = `${device.walletId}/keyShares/backup/locations`;
      const { status, body } = await post(path, { locations: Array(3).fill({ location: 'icloud' }) }, person.jwt);
      expect(status).toBe(201);
      expect(new Set(body.locationsWithKeyShares.map(({ keyShareId }) => keyShareId)).size).toBe(1);
      expect(body.locationsWithKeyShares).toHaveLength(3);
      expect(await rowsOfWallet(device.walletId)).toEqual(['icloud']);
    });

    it('are twenty of a wallet at most, beside the copy that the service keeps', async () => {
      const { person, shares: device } = await another();
      const path = `${device.walletId}/keyShares/backup/locations`;
      const some = () => ({
        locations: Array.from({ length: 10 }, () => ({
          location: 'external',
          externalKeyShareId: randomUUID(),
        })),
      });
      const answers = await Promise.all(Array.from({ length: 4 }, () => post(path, some(), person.jwt)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
      expect(answers.filter(({ body }) => body.code === 'too_many_backups')).toHaveLength(2);
      for (let times = 0; times < 2; times++) {
        expect((await store(device.walletId, [newCredential(), newCredential()], person.jwt)).status).toBe(201);
      }
      for (const location of ['icloud', 'googleDrive']) {
        const { body } = await post(path, { locations: [{ location }] }, person.jwt);
        expect(body.code).toBe('too_many_backups');
      }
      expect((await rowsOfWallet(device.walletId)).filter((location) => location !== 'external')).toEqual([
        'platform',
        'platform',
      ]);
    });

    it('are said by a server for the user whose wallet it is, claimed or not, and for nobody else', async () => {
      const { person, shares: device } = await another();
      await rowsOf(test, 'UPDATE wallets SET claimed_at = NULL WHERE id = $1', [device.walletId]);
      const path = world.path(`/waas/${device.walletId}/keyShares/backup/locations`);
      const locations = [{ location: 'external' }, { location: 'icloud' }];
      const send = (userId: string, client = world.api) => client.post<Answer>(path, { userId, locations });
      const { status, body } = await send(person.userId);
      expect([status, body.locationsWithKeyShares.map(({ location }) => location)]).toEqual([
        201,
        ['external', 'icloud'],
      ]);
      expect((await send(person.userId.toUpperCase())).status).toBe(201);
      expect((await send(owner.userId)).status).toBe(404);
      const elsewhere = await World.create(test);
      expect((await send(person.userId, elsewhere.api)).status).toBe(404);
      expect(await rowsOfWallet(device.walletId)).toEqual(['external', 'icloud']);
    });

    it('are written into the Google drive of the user, if the sign-in lets the service do so', async () => {
      const { person, shares: device } = await another();
      const send = () => post(`${device.walletId}/keyShares/backup/googleDrive`, undefined, person.jwt);
      expect((await send()).body.code).toBe('key_share_backup_missing');
      const credential = newCredential();
      await store(device.walletId, [credential], person.jwt);
      expect((await send()).body.code).toBe('cloud_drive_not_connected');
      await addOauthAccount(world, person.userId, 'google', 'google-token');
      reply = { status: 403, json: { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } } };
      expect((await send()).body.code).toBe('cloud_drive_refused');
      expect(await rowsOfWallet(device.walletId)).toEqual(['platform']);
      reply = { json: { id: 'a-file' } };
      drives.forget();
      const { status, body } = await send();
      expect([status, body.keyShares]).toMatchObject([201, [{ backupLocation: 'googleDrive' }]]);
      const [call] = drives.calls;
      expect([call!.path, call!.query.get('uploadType')]).toEqual(['/drive/upload/drive/v3/files', 'multipart']);
      expect(call!.headers.authorization).toBe('Bearer google-token');
      expect(partsOf(call!.headers['content-type']!, call!.body)).toEqual([
        expect.stringContaining('"parents":["appDataFolder"]'),
        credential,
      ]);
      expect((await ledgerOf(device.walletId, 'recover')).map(({ reason }) => reason)).toEqual([
        'copy to the cloud drive of the user',
        'copy to the cloud drive of the user',
      ]);
      expect(await rowsOfWallet(device.walletId)).toEqual(['googleDrive', 'platform']);
      drives.moods.set('drive', 'down');
      expect((await send()).status).toBe(503);
      drives.forget();
    });
  });

  it('are not recorded in the drive where its answer names no file', async () => {
    const { person, shares: device } = await another();
    await store(device.walletId, [newCredential()], person.jwt);
    await addOauthAccount(world, person.userId, 'google', 'google-token');
    for (const json of [{}, { id: 7 }, null]) {
      reply = { json };
      const { status, body } = await post(`${device.walletId}/keyShares/backup/googleDrive`, undefined, person.jwt);
      expect([json, status, body.code]).toEqual([json, 503, 'vendor_unavailable']);
    }
    reply = { json: { id: 'a-file' } };
    expect(await rowsOfWallet(device.walletId)).toEqual(['platform']);
  });

  it('are not recorded in the drive when the shares are replaced while they are written there', async () => {
    const { person, shares: device } = await another();
    await store(device.walletId, [newCredential()], person.jwt);
    await addOauthAccount(world, person.userId, 'google', 'google-token');
    const drive = test.app.get(GoogleDrive, { strict: false });
    const written = jest.spyOn(drive, 'write').mockImplementation(async () => {
      await replaceShares(device.walletId);
    });
    const answer = await post(`${device.walletId}/keyShares/backup/googleDrive`, undefined, person.jwt);
    written.mockRestore();
    expect([answer.status, answer.body.code]).toEqual([422, 'key_share_backup_stale']);
    expect(await rowsOfWallet(device.walletId)).toEqual(['platform']);
  });

  describe('have a token', () => {
    const tokenOf = async (person: SignedIn): Promise<string> => {
      const path = world.sdk('/waas/keyShares/backup/token');
      return (await world.anonymous.get<Answer>(path, { token: person.jwt, expect: 200 })).body.token;
    };

    it('of one minute that says what it is for, stores copies of its user, and gets none out', async () => {
      const { person, shares: device } = await another();
      const token = await tokenOf(person);
      const { exp, iat, scope, sub } = decodeJwt(token);
      expect([exp! - iat!, sub]).toEqual([60, person.userId]);
      expect(String(scope).split(' ')).toContain('waasBackupToken');
      expect(decodeProtectedHeader(token).typ).toBe('backup+jwt');
      expect((await store(device.walletId, [newCredential()], token)).status).toBe(201);
      expect((await recover(device.walletId, {}, token)).status).toBe(401);
      expect((await post(`${device.walletId}/keyShares/backup/googleDrive`, undefined, token)).status).toBe(401);
      expect((await store(shares.walletId, [newCredential()], token)).status).toBe(404);
      expect(operationsOfToken()).toEqual([
        'backupKeyShares',
        'backupKeySharesToLocation',
        'backupKeySharesToLocations',
      ]);
      const elsewhere = [
        world.anonymous.get(world.sdk('/waas/keyShares/backup/token'), { token }),
        world.anonymous.post(world.sdk(`/waas/${device.walletId}/signMessage`), { message: TEXT }, { token }),
        world.anonymous.post(world.sdk('/users/embeddedWallets'), { embeddedWallets: [] }, { token }),
        world.anonymous.get(world.path(`/users/${person.userId}`), { token }),
      ];
      for (const { status } of await Promise.all(elsewhere)) expect(status).toBe(401);
    });

    it('that ends after its minute, and with the session', async () => {
      const { person, shares: device } = await another();
      const { userId: sub, sessionId: sid } = person;
      const claims = { sub, sid, session_jti: decodeJwt(person.jwt).jti, scope: 'user:basic waasBackupToken' };
      const late = await test.app
        .get(PurposeTokens, { strict: false })
        .issue(world.environmentId, 'backup', { claims, ttlSeconds: 0 });
      expect((await store(device.walletId, [newCredential()], late)).status).toBe(401);
      const token = await tokenOf(person);
      expect((await store(device.walletId, [newCredential()], token)).status).toBe(201);
      await rowsOf(test, 'UPDATE sessions SET revoked_at = now() WHERE id = $1', [sid]);
      await eventually('the token is refused', async () =>
        (await store(device.walletId, [newCredential()], token)).status === 401 ? true : null,
      );
    });
  });
});

/** The bodies of the parts of `multipart/related` (RFC 2387). */
function partsOf(contentType: string, body: string): string[] {
  const boundary = /boundary=(.+)$/.exec(contentType)![1]!;
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4, -2));
}

/** What the document says that the token opens. */
function operationsOfToken(): string[] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string; 'x-service-tokens'?: string[] }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap((one) => (one['x-service-tokens']?.includes('backup') ? [one.operationId!] : [])).sort();
}
