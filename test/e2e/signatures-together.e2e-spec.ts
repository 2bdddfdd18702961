import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { recoverMessageAddress, type Hex } from 'viem';
import { LedgerVerifier, SERVICE } from '../../src/custody/index.js';
import { KeyLedger } from '../../src/custody/ledger/key-ledger.js';
import { UnitOfWork } from '../../src/database/index.js';
import { Envelope, generateMasterKey, parseKeyRing } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { openEntropy, storedSeeds } from '../support/wallet-keys.js';
import { newEmail, World } from '../support/world.js';

interface Signer {
  readonly jwt: string;
  readonly userId: string;
  readonly walletId: string;
  readonly address: string;
}

interface LedgerRow {
  readonly verdict: string;
  readonly digest: Buffer | null;
}

const SIGNERS = 12;
const EACH = 4;
const MESSAGE = 'I agree.';
/** What an instance knows for a second is read again by whoever comes after that. */
const REMEMBERED = /^environmentSettings\./;

describe('signatures that are made at once', () => {
  const masterKey = generateMasterKey();
  let test: TestApp;
  let world: World;
  let signers: Signer[];
  let client: pg.Client;

  const newSigner = async (): Promise<Signer> => {
    const { jwt, userId } = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }];
    await world.anonymous.post(world.sdk('/users/embeddedWallets'), { embeddedWallets }, { token: jwt, expect: 201 });
    const { body } = await world.api.get<{ user: { wallets: { id: string; publicKey: string }[] } }>(
      world.path(`/users/${userId}`),
    );
    const [wallet] = body.user.wallets;
    return { jwt, userId, walletId: wallet!.id, address: wallet!.publicKey };
  };
  const sign = ({ jwt, walletId }: Signer) =>
    world.anonymous.post<{ signature: string; digest: string }>(
      world.sdk(`/users/embeddedWallets/${walletId}/sign`),
      { kind: 'message', message: MESSAGE },
      { token: jwt },
    );
  const ledgerOf = ({ walletId }: Signer): Promise<LedgerRow[]> =>
    rowsOf<LedgerRow>(
      test,
      `SELECT verdict, digest FROM key_ledger
       WHERE environment_id = $1 AND operation = 'sign' AND subject->>'walletId' = $2 ORDER BY sequence`,
      [world.environmentId, walletId],
    );
  const verify = (environmentId = world.environmentId) => test.app.get(LedgerVerifier).verify(environmentId);
  /** Until some statement of the service waits for what the client of this test holds. */
  const blocked = async (): Promise<void> => {
    for (;;) {
      const { rows } = await client.query<{ waits: boolean }>(
        'SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))) AS waits',
      );
      if (rows[0]!.waits) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, masterKey, env: { ROLE: 'api' } });
    world = await World.create(test);
    signers = await Promise.all(Array.from({ length: SIGNERS }, newSigner));
    client = new pg.Client({ connectionString: test.databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await test.close();
  });

  it('take few statements alone, and share them with others', async () => {
    const [one] = signers;
    const alone = await countStatements(
      () => sign(one!),
      () => sign(one!),
    );
    expect(alone.result.status).toBe(200);
    const sent = alone.sent.map(({ name, text }) => name || text).filter((name) => !REMEMBERED.test(name));
    expect(sent).toEqual([
      'sessions.checkLive',
      'heldWallets.findAll',
      'signingPolicies.listRulesOfWallets',
      'walletSeeds.findAll',
      'BEGIN',
      'heldWallets.holdAll',
      'keyLedger.append',
      'COMMIT',
    ]);
    const together = await countStatements(() => Promise.all(signers.map(sign)));
    expect(together.result.map(({ status }) => status)).toEqual(signers.map(() => 200));
    expect(together.sent.length).toBeLessThan((sent.length * SIGNERS) / 2);
  });

  it('each have a row of their own, one behind the other, and are what was asked for', async () => {
    const before = (await verify()).count;
    const made = await Promise.all(
      Array.from({ length: SIGNERS * EACH }, async (_, at) => {
        const signer = signers[at % SIGNERS]!;
        return { signer, ...(await sign(signer)).body };
      }),
    );
    const after = await verify();
    expect([after.count, after.broken]).toEqual([before + SIGNERS * EACH, undefined]);
    for (const { signer, signature, digest } of made) {
      expect(await recoverMessageAddress({ message: MESSAGE, signature: signature as Hex })).toBe(signer.address);
      const rows = await ledgerOf(signer);
      expect(rows.every((row) => row.verdict === 'allowed' && row.digest!.toString('hex') === digest)).toBe(true);
    }
  });

  it('wait for nobody but whoever changes their own wallet', async () => {
    const [held, ...others] = signers;
    const before = (await ledgerOf(held!)).length;
    await client.query('BEGIN');
    await client.query('SELECT id FROM wallets WHERE id = $1 FOR UPDATE', [held!.walletId]);
    let isAnswered = false;
    const waiting = sign(held!).finally(() => (isAnswered = true));
    await blocked();
    const statuses = (await Promise.all(others.map(sign))).map(({ status }) => status);
    expect(statuses).toEqual(others.map(() => 200));
    expect([isAnswered, (await ledgerOf(held!)).length]).toEqual([false, before]);
    await client.query('COMMIT');
    expect((await waiting).status).toBe(200);
    expect(await ledgerOf(held!)).toHaveLength(before + 1);
  });

  it('are not answered, and refused in the ledger, where the wallet is deleted meanwhile', async () => {
    const leaving = await newSigner();
    await client.query('BEGIN');
    await client.query('DELETE FROM wallets WHERE id = $1', [leaving.walletId]);
    const waiting = sign(leaving);
    await blocked();
    await client.query('COMMIT');
    expect((await waiting).status).toBe(404);
    expect((await ledgerOf(leaving)).map(({ verdict }) => verdict)).toEqual(['not_found']);
  });

  it('are not answered before their rows are there', async () => {
    const before = (await verify()).count;
    await client.query('BEGIN');
    await client.query('SELECT FROM key_ledger_heads WHERE environment_id = $1 FOR UPDATE', [world.environmentId]);
    let answers = 0;
    const waiting = Promise.all(signers.map((signer) => sign(signer).finally(() => answers++)));
    await blocked();
    expect(answers).toBe(0);
    await client.query('COMMIT');
    expect((await waiting).map(({ status }) => status)).toEqual(signers.map(() => 200));
    expect((await verify()).count).toBe(before + SIGNERS);
  });

  it('are answered with no signature, and leave no row, where these cannot be written', async () => {
    const before = await verify();
    await client.query(`CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END $$`);
    await client.query('CREATE TRIGGER refused BEFORE INSERT ON key_ledger FOR EACH ROW EXECUTE FUNCTION refuse_row()');
    const answers = await Promise.all(signers.map(sign)).finally(() =>
      client.query('DROP TRIGGER refused ON key_ledger'),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(503);
      expect(body).not.toHaveProperty('signature');
    }
    expect(await verify()).toEqual(before);
    expect((await sign(signers[0]!)).status).toBe(200);
  });

  it('sign with seeds whose entropy was sealed alone, as all were at first', async () => {
    const signer = await newSigner();
    const before = (await sign(signer)).body;
    const ring = parseKeyRing(masterKey);
    const [seed] = await storedSeeds(test.databaseUrl, signer.userId);
    const { environmentId, id, userId, sealedEntropy } = seed!;
    const context = { purpose: 'wallet', environmentId, userId, subjectId: id, kind: 'hd-entropy' };
    const alone = await new Envelope(ring).seal(await openEntropy(ring, seed!), context);
    expect(alone.length).toBeLessThan(sealedEntropy.length);
    await client.query('UPDATE wallet_seeds SET sealed_entropy = $2 WHERE id = $1', [id, alone]);
    expect((await sign(signer)).body).toEqual(before);
  });

  it('begin a ledger, or go on with it, in their order', async () => {
    const { environmentId } = await World.create(test);
    const ledger = test.app.get(KeyLedger);
    const use = { operation: 'sign', actor: SERVICE, userId: environmentId, keysId: environmentId } as const;
    const write = (...reasons: string[]) =>
      test.app.get(UnitOfWork).run(async (tx) => {
        const rest = { subject: { text: 'é😀', ratio: 0.1 }, digest: Buffer.alloc(32, 7), verdict: 'allowed' };
        const uses = reasons.map((reason) => ({ ...use, ...rest, reason }));
        ledger.recordAll(environmentId, uses, tx);
      });
    await write('a', 'b', 'c');
    await write('d', 'e');
    await write();
    await Promise.all([write('f', 'g'), write('h', 'i')]);
    const { count, broken } = await verify(environmentId);
    expect([count, broken]).toEqual([9, undefined]);
    const rows = await rowsOf<{ reason: string }>(
      test,
      'SELECT reason FROM key_ledger WHERE environment_id = $1 ORDER BY sequence',
      [environmentId],
    );
    expect(rows.map(({ reason }) => reason).join('')).toMatch(/^abcde(fghi|hifg)$/);
  });

  it('and other uses of keys write one ledger, sixty transactions at once, from its first row on', async () => {
    const { environmentId } = await World.create(test);
    const ledger = test.app.get(KeyLedger);
    const use = { operation: 'sign', actor: SERVICE, userId: environmentId, keysId: environmentId } as const;
    const rest = { subject: {}, reason: 'many at once', digest: Buffer.alloc(32, 7), verdict: 'allowed' };
    const many = Array.from({ length: 60 }, (_, at) => at % 4);
    await Promise.all(
      many.map((rows) =>
        test.app.get(UnitOfWork).run(async (tx) => {
          if (rows === 0) ledger.record(environmentId, { ...use, ...rest }, tx);
          else
            ledger.recordAll(
              environmentId,
              Array.from({ length: rows }, () => ({ ...use, ...rest })),
              tx,
            );
        }),
      ),
    );
    const { count, broken } = await verify(environmentId);
    expect([count, broken]).toEqual([15 * (1 + 1 + 2 + 3), undefined]);
  });
});
