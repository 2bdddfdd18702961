import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { base58 } from '@scure/base';
import {
  address as solanaAddressOf,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  fetchDealtShares,
  lockAgain,
  openBackup,
  sealBackup,
  unlockOnce,
  type Backups,
  type ShareSet,
  type StoredBackup,
  type WalletSecrets,
} from '../../clients/custody/src/index.js';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { DevInbox } from '../../src/providers/index.js';
import { KeyVaultUnavailableError } from '../../src/vault/index.js';
import { SecretSealing } from '../../src/waas/secrets/secret-sealing.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Wallet {
  id: string;
  chain: string;
  publicKey: string;
  properties: {
    version: string;
    claimed: boolean;
    thresholdSignatureScheme: string;
    keyShares?: { backupLocation: string }[];
    settings?: { shouldRefreshOnNextSignOn?: boolean };
  };
}

interface Policy {
  policyContent: { ruleId: string }[];
}

interface Answer {
  code?: string;
  error?: unknown;
  walletId: string;
  secret: string;
  source: string;
  keyShares: StoredBackup[];
  user: { id: string; wallets: Wallet[] };
  payload?: { retryAfterSeconds?: number; chain?: string };
}

const TEXT = 'I agree.';
const SECRET = /^[\w-]{43}$/;

/** A transaction that pays so many lamports, in base64. */
function solanaPayment(sender: string, amount: bigint): string {
  const from = solanaAddressOf(sender);
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(amount, 4);
  const transfer = {
    programAddress: solanaAddressOf('11111111111111111111111111111111'),
    accounts: [
      { address: from, role: 3 },
      { address: solanaAddressOf('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'), role: 1 },
    ],
    data: new Uint8Array(data),
  };
  const lifetime = { blockhash: blockhash('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N'), lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayer(from, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
    (one) => appendTransactionMessageInstruction(transfer, one),
  );
  return Buffer.from(getTransactionEncoder().encode(compileTransaction(message))).toString('base64');
}

describe('wallets with shared keys that are made ahead', () => {
  let test: TestApp;
  let world: World;

  const create = (body: object, tenant = world) => tenant.api.post<Answer>(tenant.path('/waas/create'), body);
  const ofEmail = (identifier: string, chains: string[] = ['SVM']) => create({ identifier, type: 'email', chains });
  const read = (path: 'passcode' | 'backup', token: string, walletId?: string, tenant = world) =>
    tenant.anonymous.get<Answer>(
      tenant.sdk(`/users/embeddedWallets/${path}${walletId ? `?walletId=${walletId}` : ''}`),
      { token },
    );
  const claim = (walletId: string, token: string) =>
    world.anonymous.put<Answer>(world.sdk('/users/embeddedWallets/passcode/claim'), { walletId }, { token });
  const recover = (walletId: string, token: string) =>
    world.anonymous.post<Answer>(world.sdk(`/waas/${walletId}/keyShares/recover`), {}, { token });
  const sharedOf = ({ wallets }: Answer['user']) => wallets.filter(({ properties }) => properties.version === 'V3');
  const secretsOf = ({ jwt }: SignedIn): WalletSecrets => ({
    passcode: async (walletId) => (await read('passcode', jwt, walletId)).body,
    backupKey: async (walletId) => (await read('backup', jwt, walletId)).body,
  });
  const backupsOf = ({ jwt }: SignedIn): Backups => ({
    store: () => Promise.reject(new Error('Nothing is stored here.')),
    recover: async (walletId) => (await recover(walletId, jwt)).body.keyShares,
  });
  const settingsOf = async (userId: string) => {
    const { body } = await world.api.get<Answer>(world.path(`/users/${userId}`), { expect: 200 });
    return sharedOf(body.user).map(({ properties }) => properties.settings ?? null);
  };

  /** A user whose wallet was made ahead, and who has come and claimed it. */
  async function arrived(chains: string[] = ['SVM']) {
    const email = newEmail();
    const { body } = await ofEmail(email, chains);
    const wallets = sharedOf(body.user);
    const person = await world.signIn(email);
    for (const { id } of wallets) expect((await claim(id, person.jwt)).status).toBe(200);
    return { person, wallets, walletId: wallets[0]!.id };
  }

  /** The same, with shares that the service has not dealt. */
  async function refreshed(): Promise<{ person: SignedIn; walletId: string; shares: ShareSet }> {
    const { person, walletId } = await arrived();
    const dealt = await fetchDealtShares(secretsOf(person), backupsOf(person), walletId);
    return { person, walletId, shares: await new Device(world, person.jwt).renew(dealt) };
  }

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  describe('are made', () => {
    it('for a user who is not there yet: unclaimed, with a share that waits to be fetched', async () => {
      const { status, body } = await ofEmail(newEmail(), ['SVM', 'SUI']);
      expect(status).toBe(201);
      const wallets = sharedOf(body.user);
      expect(wallets.map(({ chain }) => chain).sort()).toEqual(['SOL', 'SUI']);
      for (const { properties } of wallets) {
        expect(properties).toMatchObject({
          version: 'V3',
          claimed: false,
          thresholdSignatureScheme: 'TWO_OF_TWO',
          keyShares: [{ backupLocation: 'platform' }],
          settings: { shouldRefreshOnNextSignOn: true },
        });
      }
    });

    it('for a user of every kind of identifier', async () => {
      const phone = `0791${String(randomInt(1_000_000)).padStart(6, '0')}`;
      const { body: known } = await ofEmail(newEmail(), ['SUI']);
      const requests = [
        { type: 'email', identifier: newEmail() },
        { type: 'id', identifier: known.user.id },
        { type: 'externalUserId', identifier: randomUUID() },
        {
          type: 'phoneNumber',
          identifier: phone,
          smsCountryCode: { isoCountryCode: 'CH', phoneCountryCode: '41' },
        },
        { type: 'socialUsername', identifier: `u${randomUUID().slice(0, 8)}`, socialProvider: 'twitter' },
        { type: 'socialAccountId', identifier: randomUUID(), socialProvider: 'github' },
      ];
      for (const request of requests) {
        const first = await create({ ...request, chains: ['SVM'] });
        expect([request.type, first.status, first.body.code]).toEqual([request.type, 201, undefined]);
        const again = await create({ ...request, chains: ['SVM'] });
        expect([request.type, again.status, again.body.user.id]).toEqual([request.type, 200, first.body.user.id]);
        expect(sharedOf(again.body.user)).toEqual(sharedOf(first.body.user));
      }
    });

    it('once, however many ask at once', async () => {
      const email = newEmail();
      const answers = await Promise.all(Array.from({ length: 50 }, () => ofEmail(email, ['SVM', 'SUI'])));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
      const [userId, ...others] = new Set(answers.map(({ body }) => body.user.id));
      expect(others).toEqual([]);
      const sql = `SELECT count(*)::int AS count, count(DISTINCT k.id)::int AS sets FROM wallets w
        JOIN key_share_sets k ON k.environment_id = w.environment_id AND k.user_id = w.user_id
        WHERE w.user_id = $1 AND k.id = w.seed_id`;
      expect(await rowsOf(test, sql, [userId])).toEqual([{ count: 2, sets: 2 }]);
      const orphans =
        'SELECT id FROM key_share_sets k WHERE user_id = $1 AND NOT EXISTS (SELECT FROM wallets w WHERE w.seed_id = k.id)';
      expect(await rowsOf(test, orphans, [userId])).toEqual([]);
    });

    it('where they are missing, beside those that are there', async () => {
      const email = newEmail();
      const { body: first } = await ofEmail(email);
      const { status, body } = await ofEmail(email, ['SVM', 'SUI']);
      expect([status, sharedOf(body.user)]).toEqual([201, expect.arrayContaining(sharedOf(first.user))]);
      expect(sharedOf(body.user)).toHaveLength(2);
    });

    it('on no chain whose keys are not shared, and on none at all: nothing is written', async () => {
      const email = newEmail();
      for (const chain of ['EVM', 'BTC']) {
        const { status, body } = await ofEmail(email, ['SVM', chain]);
        expect([status, body.code, body.payload]).toEqual([422, 'threshold_chain_not_offered', { chain }]);
      }
      expect((await ofEmail(email, [])).status).toBe(400);
      const { body: unknown } = await create({ identifier: randomUUID(), type: 'id', chains: ['SVM'] });
      expect(unknown.code).toBe('invalid_user');
      const sql = 'SELECT id FROM credentials WHERE environment_id = $1 AND email = $2';
      expect(await rowsOf(test, sql, [world.environmentId, email])).toEqual([]);
    });

    it('and are read by their id, written into the ledger and told', async () => {
      const { body } = await ofEmail(newEmail());
      const [wallet] = sharedOf(body.user);
      const path = world.path(`/waas/${wallet!.id}`);
      const shown = await world.api.get<{ wallet: object }>(path, { expect: 200 });
      expect(shown.body.wallet).toMatchObject({
        walletId: wallet!.id,
        accountAddress: wallet!.publicKey,
        chainName: 'SVM',
        thresholdSignatureScheme: 'TWO_OF_TWO',
      });
      const told = await eventsOf(test, world.environmentId, wallet!.id);
      expect(told.map(({ name }) => name)).toEqual(['wallet.created']);
      const sql = "SELECT operation, reason, actor->>'type' AS by FROM key_ledger WHERE subject->>'walletId' = $1";
      expect(await rowsOf(test, sql, [wallet!.id])).toEqual([
        { operation: 'create', reason: 'dealt ahead of the user', by: 'token' },
      ]);
    });
  });

  describe('before they are claimed', () => {
    it('hand nothing out and sign nothing', async () => {
      const email = newEmail();
      const [wallet] = sharedOf((await ofEmail(email)).body.user);
      const person = await world.signIn(email);
      const path = world.sdk(`/waas/${wallet!.id}`);
      const answers = [
        await read('passcode', person.jwt),
        await read('backup', person.jwt, wallet!.id),
        await recover(wallet!.id, person.jwt),
        await world.anonymous.post<Answer>(`${path}/refresh`, undefined, { token: person.jwt }),
        await world.anonymous.post<Answer>(`${path}/signMessage`, { message: TEXT }, { token: person.jwt }),
      ];
      for (const { status, body } of answers) expect([status, body.code]).toEqual([422, 'wallet_not_claimed']);
    });

    it('are meant, where none is named, only if none is claimed', async () => {
      const email = newEmail();
      const [unclaimed] = sharedOf((await ofEmail(email, ['SVM'])).body.user);
      const claimed = sharedOf((await ofEmail(email, ['SUI'])).body.user).find(({ chain }) => chain === 'SUI')!;
      const { jwt } = await world.signIn(email);
      for (const path of ['passcode', 'backup'] as const) {
        expect((await read(path, jwt)).body.code).toBe('wallet_not_claimed');
      }
      expect((await claim(claimed.id, jwt)).status).toBe(200);
      for (const path of ['passcode', 'backup'] as const) {
        const { status, body } = await read(path, jwt);
        expect([path, status, body.walletId]).toEqual([path, 200, claimed.id]);
        expect((await read(path, jwt, unclaimed!.id)).body.code).toBe('wallet_not_claimed');
      }
    });
  });

  describe('when their user has come', () => {
    it('sign after the shares were fetched and refreshed, and not before', async () => {
      const { person, walletId } = await arrived();
      const device = new Device(world, person.jwt);
      const path = world.sdk(`/waas/${walletId}/signMessage`);
      const early = await world.anonymous.post<Answer>(path, { message: TEXT }, { token: person.jwt });
      expect([early.status, early.body.code]).toEqual([422, 'key_shares_dealt']);
      const dealt = await fetchDealtShares(secretsOf(person), backupsOf(person));
      expect(dealt.walletId).toBe(walletId);
      const shares = await device.renew(dealt);
      expect(shares.address).toBe(dealt.address);
      const signature = await device.sign(shares, TEXT);
      expect(ed25519Verify(Buffer.from(TEXT), base58.decode(shares.address), Buffer.from(signature))).toBe(true);
    });

    it('take nothing of a limit before the refresh, by signatures that are refused for it', async () => {
      const { person, wallets, walletId } = await arrived();
      const policies = world.path('/waas/policies');
      const rule = { name: 'little', ruleType: 'allow', chain: 'SVM', valueLimit: { totalLimit: '10' } };
      const { body: made } = await world.api.post<Policy>(policies, { rulesToAdd: [rule] }, { expect: 201 });
      try {
        const message = solanaPayment(wallets[0]!.publicKey, 10n);
        const svmTransaction = { chainId: '101', method: 'signTransaction', serializedTransactions: [message] };
        const path = world.sdk(`/waas/${walletId}/signMessage`);
        const pay = () =>
          world.anonymous.post<Answer>(path, { message, context: { svmTransaction } }, { token: person.jwt });
        const totals = () => rowsOf(test, 'SELECT total FROM signing_policy_totals WHERE wallet_id = $1', [walletId]);
        for (let times = 0; times < 2; times++) expect((await pay()).body.code).toBe('key_shares_dealt');
        expect(await totals()).toEqual([]);
        const dealt = await fetchDealtShares(secretsOf(person), backupsOf(person), walletId);
        await new Device(world, person.jwt).renew(dealt);
        expect((await pay()).status).toBe(200);
        expect(await totals()).toEqual([{ total: '10' }]);
      } finally {
        await world.api.delete(policies, { body: { ruleIdsToDelete: [made.policyContent[0]!.ruleId] } });
      }
    });

    it('have no passcode after the refresh, and no copy of the dealt share', async () => {
      const { person, walletId } = await refreshed();
      const { status, body } = await read('passcode', person.jwt, walletId);
      expect([status, body.code]).toEqual([404, 'wallet_passcode_missing']);
      expect((await read('passcode', person.jwt)).status).toBe(404);
      expect((await recover(walletId, person.jwt)).body.code).toBe('key_share_backup_stale');
      expect(await rowsOf(test, 'SELECT id FROM wallet_secrets WHERE wallet_id = $1', [walletId])).toEqual([]);
      expect(await settingsOf(person.userId)).toEqual([null]);
      const sql = "SELECT wallet_properties->'settings' AS settings FROM credentials WHERE wallet_id = $1";
      expect(await rowsOf(test, sql, [walletId])).toEqual([{ settings: {} }]);
    });

    it('are refreshed one after the other where there are several', async () => {
      const { person, wallets } = await arrived(['SVM', 'SUI', 'TON']);
      const device = new Device(world, person.jwt);
      const done = new Set<string>();
      for (let left = wallets.length; left > 0; left--) {
        const dealt = await fetchDealtShares(secretsOf(person), backupsOf(person));
        await device.renew(dealt);
        done.add(dealt.walletId);
      }
      expect([...done].sort()).toEqual(wallets.map(({ id }) => id).sort());
    });
  });

  describe('a passcode', () => {
    it('opens the copy that is handed out, and nothing else does', async () => {
      const { person, walletId } = await arrived();
      const { status, body } = await read('passcode', person.jwt);
      expect([status, body]).toEqual([200, { walletId, secret: expect.stringMatching(SECRET), source: 'platform' }]);
      const { body: recovered } = await recover(walletId, person.jwt);
      const copy = recovered.keyShares[0]!.encryptedAccountCredential!;
      const shares = await openBackup(copy, { secret: new Uint8Array(Buffer.from(body.secret, 'base64url')) });
      expect(shares.secrets.map(({ id }) => id)).toEqual([1]);
      await expect(openBackup(copy, { secret: new Uint8Array(32) })).rejects.toThrow('does not open');
    });

    it('is not handed out while the vault is away, which takes none of the five times', async () => {
      const { person, walletId } = await arrived();
      const away = jest
        .spyOn(test.app.get(SecretSealing), 'open')
        .mockRejectedValue(new KeyVaultUnavailableError('The vault is away.'));
      try {
        const path = world.sdk(`/users/embeddedWallets/passcode?walletId=${walletId}`);
        const headers = { authorization: `Bearer ${person.jwt}` };
        for (let call = 0; call < 6; call++)
          expect((await fetch(`${test.url}/api/v0${path}`, { headers })).status).toBe(503);
      } finally {
        away.mockRestore();
      }
      const answers = await Promise.all(Array.from({ length: 6 }, () => read('passcode', person.jwt, walletId)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    });

    it('is handed out five times a day, however many ask at once', async () => {
      const { person, walletId } = await arrived();
      const answers = await Promise.all(Array.from({ length: 50 }, () => read('passcode', person.jwt, walletId)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      const refused = answers.filter(({ body }) => body.code === 'too_many_secret_reads');
      expect(refused).toHaveLength(45);
      expect(refused[0]!.body.payload!.retryAfterSeconds).toBeGreaterThan(3_600);
      const told = await eventsOf(test, world.environmentId, walletId);
      expect(told.filter(({ name }) => name === 'wallet.secretReleased')).toHaveLength(5);
      const sql = `SELECT verdict, count(*)::int AS count FROM key_ledger
        WHERE subject->>'walletId' = $1 AND operation = 'recover' GROUP BY verdict ORDER BY verdict`;
      expect(await rowsOf(test, sql, [walletId])).toEqual([
        { verdict: 'allowed', count: 5 },
        { verdict: 'too_many_secret_reads', count: 45 },
      ]);
      const aged = "UPDATE wallet_secrets SET first_read_at = now() - interval '25 hours' WHERE wallet_id = $1";
      await rowsOf(test, aged, [walletId]);
      const nextDay = await Promise.all(Array.from({ length: 6 }, () => read('passcode', person.jwt, walletId)));
      expect(nextDay.filter(({ status }) => status === 200)).toHaveLength(5);
    });
  });

  describe('a backup key', () => {
    it('is the same at every call, however many ask at once for the first time', async () => {
      const { person, walletId } = await refreshed();
      const answers = await Promise.all(Array.from({ length: 5 }, () => read('backup', person.jwt)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(answers[0]!.body).toEqual({ walletId, secret: expect.stringMatching(SECRET), source: 'platform' });
      expect(new Set(answers.map(({ body }) => body.secret)).size).toBe(1);
      expect((await read('backup', person.jwt)).body.code).toBe('too_many_secret_reads');
    });

    it('is the second lock of a copy that is elsewhere', async () => {
      const { person, shares, walletId } = await refreshed();
      const lock = { secret: new Uint8Array(32).fill(9) };
      const { body } = await read('backup', person.jwt, walletId);
      const copy = await lockAgain(await sealBackup(shares, lock), body.secret);
      const { secret } = (await read('backup', (await world.signIn(person.email)).jwt, walletId)).body;
      expect(await openBackup(await unlockOnce(copy, secret), lock)).toEqual(shares);
    });

    it('is there for wallets with shared keys alone', async () => {
      const person = await world.signIn(newEmail());
      const { status, body } = await read('backup', person.jwt);
      expect([status, body.code]).toEqual([404, 'shared_wallet_missing']);
      expect((await read('passcode', person.jwt)).body.code).toBe('wallet_passcode_missing');
    });
  });

  it('tell their secrets after a proof of the last five minutes alone, and to nobody else', async () => {
    const { person, walletId } = await arrived();
    const stranger = await world.signIn(newEmail());
    const elsewhere = await World.create(test);
    const foreigner = await elsewhere.signIn(newEmail());
    const age = "UPDATE sessions SET created_at = now() - interval '6 minutes' WHERE id = $1";
    await rowsOf(test, age, [person.sessionId]);
    for (const path of ['passcode', 'backup'] as const) {
      const refused = await read(path, person.jwt, walletId);
      expect([refused.status, refused.body.code]).toEqual([403, 'fresh_proof_required']);
      expect((await read(path, stranger.jwt, walletId)).status).toBe(404);
      expect((await read(path, foreigner.jwt, walletId, elsewhere)).status).toBe(404);
      expect((await read(path, stranger.jwt, 'no-id')).status).toBe(400);
    }
    expect((await read('passcode', (await world.signIn(person.email)).jwt, walletId)).status).toBe(200);
  });

  it('tell their user by mail that a secret was asked for, and not the secret', async () => {
    const { person, wallets, walletId } = await arrived();
    const { secret } = (await read('passcode', person.jwt, walletId)).body;
    const mail = await eventually('the mail is there', () =>
      test.app
        .get(DevInbox)
        .entries.find(
          ({ to, subject }) => to === person.email && subject?.startsWith('The secret for a wallet backup'),
        ),
    );
    expect(mail.text).toContain(wallets[0]!.publicKey);
    expect(JSON.stringify(mail)).not.toContain(secret);
  });

  it('leave no secret in the clear: in no row of any table that was written', async () => {
    const { person, walletId } = await arrived();
    const { secret } = (await read('passcode', person.jwt)).body;
    const sql = `SELECT row_to_json(t)::text AS row FROM key_ledger t WHERE subject->>'walletId' = $1
      UNION ALL SELECT row_to_json(t)::text FROM events t WHERE t.data->>'id' = $1
      UNION ALL SELECT row_to_json(t)::text FROM wallet_secrets t WHERE t.wallet_id = $1::uuid
      UNION ALL SELECT row_to_json(t)::text FROM key_share_backups t WHERE t.wallet_id = $1::uuid`;
    const rows = await rowsOf<{ row: string }>(test, sql, [walletId]);
    expect(rows.length).toBeGreaterThan(3);
    const hex = Buffer.from(secret, 'base64url').toString('hex');
    for (const { row } of rows) expect([row.includes(secret), row.includes(hex)]).toEqual([false, false]);
  });
});
