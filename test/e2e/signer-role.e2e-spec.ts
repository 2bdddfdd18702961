import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import pg from 'pg';
import { recoverMessageAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createSplitWallet, signSplit, SplitGeneration, type OpenedSplit } from '../../clients/custody/src/index.js';
import { messageDigest } from '../../clients/custody/src/split/split-key.js';
import { Config } from '../../src/config/index.js';
import { greetSigner, KeyRotation, openSigner } from '../../src/custody/index.js';
import { KeysGone } from '../../src/custody/signer/rows/sealed-rows.js';
import { SealedRowsRepository } from '../../src/custody/signer/rows/sealed-rows.repository.js';
import { SeedsRepository } from '../../src/custody/v1/seeds.repository.js';
import { Database, PersonRows } from '../../src/database/index.js';
import { checkSealedKeys } from '../../src/doctor/checks/sealed-keys.js';
import { checkSigner } from '../../src/doctor/checks/signer.js';
import { DatabaseProbe } from '../../src/doctor/database-probe.repository.js';
import { generateMasterKey, type SignerCalls } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newRecipient, sealFor } from '../support/hpke-open.js';
import { KeyRoles } from '../support/key-roles.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { ServiceProcess } from '../support/service-process.js';
import { Device, roomsOf } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Wallet {
  id: string;
  chain: string;
  publicKey: string;
}
interface Answer {
  code?: string;
  signature: Hex;
  roomId: string;
  serverKeygenIds: string[];
  exportBundle: string;
  user: { wallets: Wallet[] };
}
interface Bundle {
  enc: string;
  ciphertext: string;
  address: string;
}

const TEXT = 'I agree.';
const CHAINS = ['EVM', 'SOL', 'SUI', 'BTC'];
const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

describe('sealed keys that a role of the signer alone may read, as docs/running.md makes it', () => {
  const [masterKey, nextKey] = [generateMasterKey(), generateMasterKey()];
  const settings = {
    DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-signer-role-')),
    SIGNER_SECRET: randomBytes(32).toString('hex'),
    MASTER_KEY: `${masterKey},${nextKey}`,
    DATABASE_WAIT_MS: '10000',
  };
  const ofInstance = { SIGNER: 'socket', SIGNER_READS_KEYS: 'true', ...settings };
  const lines: string[] = [];
  let roles: KeyRoles;
  let process: ServiceProcess;
  let signer: SignerCalls;
  let test: TestApp;
  let world: World;
  let before: string;

  const startSigner = async (given: Record<string, string>): Promise<ServiceProcess> => {
    const started = ServiceProcess.spawn({ ...settings, ROLE: 'signer', ...given });
    await started.until(() => Promise.resolve(started.output.includes('ready on')));
    return started;
  };
  const restartSigner = async (given: Record<string, string> = { SIGNER_DATABASE_URL: roles.urlOf('_signer') }) => {
    if (process.isRunning) await process.end('SIGTERM');
    process = await startSigner(given);
  };
  const rightsSaid = async (): Promise<string> => {
    const probe = await DatabaseProbe.open(roles.urlOf(''));
    try {
      const { state, meaning } = checkSealedKeys(true, await probe.rightsOnKeys());
      return `${state}: ${meaning}`;
    } finally {
      await probe.close();
    }
  };
  const signerSaid = async (): Promise<string> => {
    const asked = { signer: 'socket', readsKeys: true };
    const { state, meaning } = await checkSigner(asked, () => greetSigner(Config.load(ofInstance)));
    return `${state}: ${meaning}`;
  };

  /** Without the client of the other tests, which wants every status documented: 503 may answer any operation. */
  async function call(path: string, token: string, body?: object, headers = {}) {
    const answer = await fetch(`${test.url}/api/v0${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer };
  }
  const walletsOf = async ({ userId }: SignedIn) =>
    (await call(world.path(`/users/${userId}`), world.token)).body.user.wallets;
  async function someone(chains = CHAINS) {
    const person = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains }];
    const made = await call(world.sdk('/users/embeddedWallets'), person.jwt, { embeddedWallets });
    expect(made.status).toBe(201);
    return { person, wallets: await walletsOf(person) };
  }
  const sign = ({ jwt }: SignedIn, { id }: Wallet) =>
    call(world.sdk(`/users/embeddedWallets/${id}/sign`), jwt, { kind: 'message', message: TEXT });
  const signsAs = async (person: SignedIn, wallet: Wallet): Promise<string> => {
    const { status, body } = await sign(person, wallet);
    expect([status, body.code]).toEqual([200, undefined]);
    return recoverMessageAddress({ message: TEXT, signature: body.signature });
  };
  const evmOf = (wallets: Wallet[]): Wallet => wallets.find(({ chain }) => chain === 'EVM')!;

  async function exported({ jwt, userId }: SignedIn, wallet: Pick<Wallet, 'id'>): Promise<Buffer> {
    const recipient = newRecipient('X25519');
    const request = { exportId: base58.encode(recipient.publicKey) };
    const headers = await proofOf(world, jwt);
    const opened = await call(world.sdk(`/waas/${wallet.id}/privateKey/export`), jwt, request, headers);
    const { roomId } = opened.body;
    const { body } = await call(world.sdk(`/users/embeddedWallets/${wallet.id}/activities/${roomId}/export`), jwt);
    const info = Buffer.from(`export/v1|${world.environmentId}|${userId}|${wallet.id}|${roomId}`);
    const { enc, ciphertext, address } = JSON.parse(body.exportBundle) as Bundle;
    return recipient.open(bytes(enc), bytes(ciphertext), info, Buffer.from(address));
  }

  beforeAll(async () => {
    roles = await KeyRoles.prepare();
    before = await rightsSaid();
    await roles.make();
    process = await startSigner({ SIGNER_DATABASE_URL: roles.urlOf('_signer') });
    signer = openSigner(Config.load(ofInstance), '', (line) => lines.push(line))!;
    const env = { ...ofInstance, ROLE: 'api' };
    const given = { databaseUrl: roles.urlOf(''), masterKey: settings.MASTER_KEY, env };
    test = await startTestApp({ ...given, signer: () => signer });
    world = await World.create(test);
  }, 300_000);
  afterAll(async () => {
    await test?.close();
    await process?.discard();
    await roles?.drop();
  });

  it('are what the doctor warns of before, and finds well afterwards on both sides', async () => {
    const columns = 'wallet_seeds.sealed_entropy, key_share_sets.sealed_shares, key_imports.sealed_key';
    expect(before).toBe(`fail: SIGNER_READS_KEYS is true, but the role of the service may read ${columns}`);
    expect(await rightsSaid()).toBe('ok: the role of the service may not read them');
    expect(await signerSaid()).toBe('ok: the signer responds on its socket and reads sealed keys itself');
    expect(process.output).toContain('reads sealed keys itself.');
  });

  describe('for the role of the service', () => {
    let attacker: pg.Client;
    beforeAll(async () => {
      attacker = new pg.Client({ connectionString: roles.urlOf('') });
      await attacker.connect();
    });
    afterAll(() => attacker.end());

    it.each([
      ['SELECT sealed_entropy FROM wallet_seeds'],
      ['SELECT sealed_shares FROM key_share_sets'],
      ['SELECT sealed_key FROM key_imports'],
      ['SELECT * FROM wallet_seeds'],
      ['SELECT s FROM key_share_sets s'],
      ['SELECT to_jsonb(k) FROM key_imports k'],
      ["SELECT id FROM wallet_seeds WHERE sealed_entropy > ''"],
      ['COPY key_share_sets TO STDOUT'],
      ['DELETE FROM key_imports RETURNING sealed_key'],
      ['UPDATE wallet_seeds SET kind = kind RETURNING sealed_entropy'],
      ["UPDATE wallet_seeds SET master_key_id = encode(sealed_entropy, 'hex')"],
      ['ALTER TABLE wallet_seeds OWNER TO CURRENT_USER'],
      ['CREATE TRIGGER t BEFORE UPDATE ON wallet_seeds EXECUTE FUNCTION suppress_redundant_updates_trigger()'],
      ['SET ROLE $keys'],
      ['SET ROLE $signer'],
    ])('are refused: %s', async (sql) => {
      const text = sql.replace(/\$(keys|signer)/, (_, role: string) => roles.roleOf(`_${role as 'keys' | 'signer'}`));
      await expect(attacker.query(text)).rejects.toMatchObject({ code: '42501' });
    });
  });

  it('are all that the role of the signer may read, and it writes nothing', async () => {
    const client = new pg.Client({ connectionString: roles.urlOf('_signer') });
    await client.connect();
    try {
      const { rows } = await client.query<{ table: string }>(
        `SELECT c.relname AS table FROM pg_class c
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
           AND (has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
             OR has_table_privilege(c.oid, 'DELETE, TRUNCATE, TRIGGER')) ORDER BY 1`,
      );
      expect(rows.map(({ table }) => table)).toEqual(['key_imports', 'key_share_sets', 'wallet_seeds']);
      for (const sql of [
        'SELECT vault_user_id FROM wallet_seeds',
        "UPDATE wallet_seeds SET kind = 'private-key'",
        'DELETE FROM wallet_seeds',
        'UPDATE key_share_sets SET dealt = true',
        'SELECT id FROM users',
        'CREATE TABLE mine (id int)',
      ]) {
        await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
      }
    } finally {
      await client.end();
    }
  });

  describe('for the role of the signer, whatever an instance asks for', () => {
    let rows: SealedRowsRepository;
    beforeAll(() => {
      rows = new SealedRowsRepository(test.app.get(Config), roles.urlOf('_signer'));
    });
    afterAll(() => rows.close());

    const placeIn = async (table: string, { userId }: SignedIn) => {
      const [row] = await rowsOf<{ id: string }>(test, `SELECT id FROM ${table} WHERE user_id = $1`, [userId]);
      return { environmentId: world.environmentId, userId, keysId: row!.id };
    };

    it('are no seed that awaits its destruction', async () => {
      const { person } = await someone(['EVM']);
      const place = await placeIn('wallet_seeds', person);
      expect((await rows.read('seed', place)).length).toBeGreaterThan(0);
      await rowsOf(test, "UPDATE wallet_seeds SET destroy_after = now() + interval '30 days' WHERE user_id = $1", [
        person.userId,
      ]);
      await expect(rows.read('seed', place)).rejects.toThrow(KeysGone);
    });

    it('are no shares of another generation', async () => {
      const person = await world.signIn(newEmail());
      const device = new Device(world, person.jwt);
      const shares = await device.create('TWO_OF_TWO');
      const place = await placeIn('key_share_sets', person);
      const read = async (generation: number) => rows.read('shares', { ...place, generation });
      const [first] = await rowsOf<{ generation: number }>(
        test,
        'SELECT generation FROM key_share_sets WHERE user_id = $1',
        [person.userId],
      );
      expect((await read(first!.generation)).length).toBeGreaterThan(0);
      await device.renew(shares);
      await expect(read(first!.generation)).rejects.toThrow(KeysGone);
      expect((await read(first!.generation + 1)).length).toBeGreaterThan(0);
    });

    it('are no import of another session, nor one whose time is over, and stay where they are', async () => {
      const person = await world.signIn(newEmail());
      const request = { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
      await call(world.sdk('/waas/privateKey/import'), person.jwt, request, await proofOf(world, person.jwt));
      const place = await placeIn('key_imports', person);
      const [begun] = await rowsOf<{ sessionId: string }>(
        test,
        'SELECT session_id AS "sessionId" FROM key_imports WHERE user_id = $1',
        [person.userId],
      );
      const end = (ago: string) =>
        rowsOf(test, 'UPDATE key_imports SET expires_at = now() - $2::interval WHERE user_id = $1', [
          person.userId,
          ago,
        ]);
      await expect(rows.read('import', { ...place, sessionId: randomUUID() })).rejects.toThrow(KeysGone);
      await end('1 second');
      await expect(rows.read('import', { ...place, ...begun })).rejects.toThrow(KeysGone);
      await end('-1 minute');
      expect((await rows.read('import', { ...place, ...begun })).length).toBeGreaterThan(0);
    });
  });

  it('make wallets on every chain, further accounts, signatures and exports', async () => {
    const { person, wallets } = await someone(['EVM', 'SOL']);
    expect(wallets.map(({ chain }) => chain).sort()).toEqual(['EVM', 'SOL']);
    const more = { identifier: person.email, type: 'email', chains: CHAINS };
    expect((await call(world.path('/embeddedWallets'), world.token, more)).status).toBe(201);
    expect((await walletsOf(person)).map(({ chain }) => chain).sort()).toEqual([...CHAINS].sort());
    const evm = evmOf(wallets);
    expect(await signsAs(person, evm)).toBe(evm.publicKey);
    const key = await exported(person, evm);
    expect(privateKeyToAccount(`0x${key.toString('hex')}`).address).toBe(evm.publicKey);
  });

  it('take in a key that is brought along, once, and sign with it', async () => {
    const person = await world.signIn(newEmail());
    const request = { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
    const headers = await proofOf(world, person.jwt);
    const { roomId, serverKeygenIds } = (await call(world.sdk('/waas/privateKey/import'), person.jwt, request, headers))
      .body;
    const key = randomBytes(32);
    const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
    const info = Buffer.from(`import/v1|${world.environmentId}|${person.userId}|EVM|${roomId}`);
    const { enc, ciphertext } = sealFor(
      Buffer.from(base58.decode(serverKeygenIds[1]!)),
      key,
      info,
      Buffer.from(address),
    );
    const offer = { enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url'), address };
    const send = () => call(world.sdk(`/users/embeddedWallets/activities/${roomId}/import`), person.jwt, offer);
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
    expect((await send()).status).toBe(404);
    const [wallet] = await walletsOf(person);
    expect(await signsAs(person, wallet!)).toBe(address);
    expect((await exported(person, wallet!)).equals(key)).toBe(true);
  });

  it('sign with keys that are shared by threshold, before and after these are shared anew', async () => {
    const device = new Device(world, (await world.signIn(newEmail())).jwt);
    const shares = await device.create('TWO_OF_TWO');
    expect(await device.sign(shares, TEXT)).toHaveLength(64);
    const renewed = await device.renew(shares);
    expect(await device.sign(renewed, TEXT)).toHaveLength(64);
    const wider = await device.renew(renewed, 'TWO_OF_THREE');
    expect(await device.sign(wider, TEXT)).toHaveLength(64);
    await expect(device.sign(shares, TEXT)).rejects.toThrow();
  });

  it('let shares of a split key go to the device that signs, and to whom it is exported', async () => {
    const person = await world.signIn(newEmail());
    const token = person.jwt;
    const generation = await SplitGeneration.begin('TWO_OF_TWO');
    const request = { chain: 'EVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: 'TWO_OF_TWO' };
    const opened = (await call(world.sdk('/waas/create'), token, request)).body as unknown as OpenedSplit;
    const rooms = roomsOf(world, token);
    const shares = await createSplitWallet(rooms, world.environmentId, generation, opened, () => Promise.resolve());
    const { roomId } = (await call(world.sdk(`/waas/${shares.walletId}/signMessage`), token, { message: TEXT })).body;
    const { signature } = await signSplit(rooms, world.environmentId, shares, messageDigest(Buffer.from(TEXT)), roomId);
    expect(signature).toBeDefined();
    const given = JSON.parse((await exported(person, { id: shares.walletId })).toString()) as object;
    expect(given).toMatchObject({ shares: [{ id: 2, share: expect.stringMatching(/^[0-9a-f]{64}$/) }] });
  });

  it('are dealt to a user who takes them over, and are left out of what that person is told', async () => {
    const { person } = await someone(['SOL']);
    const upgraded = await call(world.sdk('/users/embeddedWallets/upgradeToV2'), person.jwt, {});
    expect([upgraded.status, upgraded.body.code]).toEqual([201, undefined]);
    const tables = await test.app.get(PersonRows).list(world.environmentId, person.userId, 10);
    const shares = tables.find(({ table }) => table === 'key_share_sets')?.rows;
    expect(shares).toEqual([expect.objectContaining({ user_id: person.userId, dealt: true })]);
    expect(JSON.stringify(tables)).not.toContain('sealed_');
  });

  it('are refused to an instance that would hand them over', async () => {
    const { person } = await someone(['EVM']);
    const seeds = new SeedsRepository(test.app.get(Database), signer);
    const owner = [world.environmentId, person.userId] as const;
    const { id } = (await seeds.findFirst(...owner))!;
    expect(await seeds.findSealed(...owner, id)).toEqual({ sealed: Buffer.alloc(0), kind: 'hd-entropy' });
    const reading = new SeedsRepository(test.app.get(Database), null);
    await expect(reading.findSealed(...owner, id)).rejects.toThrow(/permission denied/);
  });

  it('are rewrapped by the operator, who may read them, and are the same keys', async () => {
    const { person, wallets } = await someone(['EVM']);
    const ring = `${nextKey},${masterKey}`;
    const as = (databaseUrl: string) =>
      startTestApp({ databaseUrl, masterKey: ring, env: { ...ofInstance, ROLE: 'worker', MASTER_KEY: ring } });
    const service = await as(roles.urlOf(''));
    await expect(service.app.get(KeyRotation).rewrapAll()).rejects.toThrow();
    await service.close();
    const operator = await as(roles.urlOf('_operator'));
    const progress = await operator.app.get(KeyRotation).rewrapAll();
    await operator.close();
    expect(progress.filter(({ remaining }) => remaining > 0)).toEqual([]);
    expect(progress.find(({ name }) => name === 'wallet_seeds.sealed_entropy')?.rewrapped).toBeGreaterThan(0);
    expect(await signsAs(person, evmOf(wallets))).toBe(evmOf(wallets).publicKey);
  });

  describe('whose signer cannot read them', () => {
    const unavailable = { status: 503, body: { code: 'signer_unavailable' } };

    it('are 503, as nothing else is, while it is dead, and are back by themselves when it is', async () => {
      const { person, wallets } = await someone(['EVM']);
      await process.end('SIGKILL');
      expect(await sign(person, evmOf(wallets))).toMatchObject(unavailable);
      expect((await call(world.path(`/users/${person.userId}`), world.token)).status).toBe(200);
      await restartSigner();
      await eventually('it signs', async () => (await sign(person, evmOf(wallets))).status === 200);
      expect(await signsAs(person, evmOf(wallets))).toBe(evmOf(wallets).publicKey);
    }, 60_000);

    it('are 503 while the database refuses it, which the doctor and its lines say', async () => {
      const { person, wallets } = await someone(['EVM']);
      const column = `(sealed_entropy) ON wallet_seeds`;
      await roles.admin.query(`REVOKE SELECT ${column} FROM ${roles.roleOf('_signer')}`);
      expect(await sign(person, evmOf(wallets))).toMatchObject(unavailable);
      expect(await signerSaid()).toMatch(/^fail: the signer responds but cannot read sealed keys: .*\(42501\)/);
      expect(process.output).toMatch(/wallet\.sign: The database does not give its rows to the signer \(42501\)\./);
      await roles.admin.query(`GRANT SELECT ${column} TO ${roles.roleOf('_signer')}`);
      expect(await signsAs(person, evmOf(wallets))).toBe(evmOf(wallets).publicKey);
    });

    it('are not asked of one that was given no database', async () => {
      const { person, wallets } = await someone(['EVM']);
      await restartSigner({});
      await eventually('it is refused', () => lines.some((line) => line.includes('SIGNER_DATABASE_URL')));
      expect(await sign(person, evmOf(wallets))).toMatchObject(unavailable);
      expect(await signerSaid()).toBe('fail: SIGNER_READS_KEYS is true, but the signer was given no database');
      await restartSigner();
      await eventually('it signs', async () => (await sign(person, evmOf(wallets))).status === 200);
    }, 60_000);
  });
});
