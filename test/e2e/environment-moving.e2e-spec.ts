import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { base58 } from '@scure/base';
import { recoverMessageAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mintEnvironmentId, mintOrganizationId, TenantDirectory } from '../../src/auth/index.js';
import { LedgerVerifier, SERVICE } from '../../src/custody/index.js';
import { KeyLedger } from '../../src/custody/ledger/key-ledger.js';
import { newId } from '../../src/common/ids.js';
import { Database, MovedRows, UnitOfWork } from '../../src/database/index.js';
import { ChangeLog, OrganizationsService, ProjectsService } from '../../src/organizations/index.js';
import { UserCreation } from '../../src/identity/index.js';
import {
  ArchiveReader,
  EnvironmentExport,
  EnvironmentImport,
  EnvironmentSurvey,
  MovingParts,
  MovingRefusedError,
  newOperatorKey,
  parseOperatorPublicKey,
  parseOperatorSecret,
} from '../../src/moving/index.js';
import { EnvironmentImportsRepository } from '../../src/moving/environment-imports.repository.js';
import { Envelope, generateMasterKey, parseKeyRing } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Authenticator } from '../support/authenticator.js';
import { TestClient } from '../support/client.js';
import { EXTENSION_TABLES } from '../support/example-tables.js';
import { newRecipient } from '../support/hpke-open.js';
import { PasskeySite, type Person } from '../support/passkeys.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { command } from '../support/operator.js';
import { environmentWith, run } from '../support/service-process.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

const MANY = 2_600;
/** With one who has passkeys and embedded wallets, and one who has a wallet of their own. */
const PEOPLE = MANY + 2;
const NATIVE = '0x0000000000000000000000000000000000000000';
const GATE = {
  ...{ name: 'Holders', outcome: 'scope', scope: 'holder' },
  rules: [{ type: 'token', chain: 'EVM', address: { networkId: 1, contractAddress: NATIVE }, filter: { amount: 1 } }],
};
const HOSTNAME = 'auth.shop.example.com';
const DOMAIN = { chain: 'ETH', domain: 'example.eth' };
const AT_ONCE = 50;

interface Wallet {
  id: string;
  chain: string;
  publicKey: string;
}

/** Tables of tenants of which no context says anything, or more than one thing. */
function findUnclaimed(tables: readonly string[], claims: readonly string[]): string[] {
  const counts = new Map(tables.map((table) => [table, 0]));
  for (const claim of claims) counts.set(claim, (counts.get(claim) ?? 0) + 1);
  return [...counts].filter(([table, count]) => count !== 1 || !tables.includes(table)).map(([table]) => table);
}

describe('an environment that moves', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-moving-'));
  const archive = join(folder, 'archive.tar.gz');
  let here: TestApp;
  let world: World;
  let site: PasskeySite;
  let person: Person;
  let authenticator: Authenticator;
  let wallets: Wallet[];
  let holderId: unknown;
  const key = newKey();
  let operator: { publicKey: Buffer; secret: Buffer };
  let digest: string;

  /** An installation that has nothing in common with the other one but its version. */
  const installation = () =>
    startTestApp({
      ownDatabase: true,
      masterKey: generateMasterKey(),
      env: { ROLE: 'api', DATABASE_POOL: '60', DATABASE_WAIT_MS: '30000' },
    });
  const take = async (there: TestApp, path = archive, onMember?: (name: string) => void) => {
    const verified = await there.app.get(ArchiveReader).verify(path);
    const id = mintEnvironmentId(verified.head.environmentId);
    return there.app.get(EnvironmentImport).run(verified, id, operator.secret, { onMember });
  };
  /** Interrupts an export once it writes. */
  const leavesNothing = async (file: string, [, ...program]: string[], settings: Record<string, string>) => {
    const stopped = spawn(process.execPath, program, { env: environmentWith(settings), stdio: 'ignore' });
    const ended = once(stopped, 'exit');
    while (stopped.exitCode === null && !existsSync(`${file}.spool`)) await delay(5);
    stopped.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    expect([file, `${file}.spool`, `${file}.part`].filter((path) => existsSync(path))).toEqual([]);
  };
  const environmentsOf = async (there: TestApp) =>
    (
      await rowsOf<{ rows: number }>(there, "SELECT count(*)::int AS rows FROM environments WHERE kind <> 'console'")
    )[0]!.rows;
  /** The rows of each table that moves, without what is sealed anew. */
  const contents = async ({ app }: TestApp): Promise<Record<string, unknown[]>> => {
    const found: Record<string, unknown[]> = {};
    for (const { name, entity, sealed, left, unless } of await app.get(EnvironmentSurvey).tablesInOrder()) {
      const { columns } = app.get(Database).metadataOf(entity);
      const hidden = columns.filter(({ propertyName }) => [...sealed, ...left].includes(propertyName));
      const alive = columns.find(({ propertyName }) => propertyName === unless);
      const scope = ['organizations', 'projects', 'environments', 'custom_networks'].includes(name)
        ? `id IN (SELECT unnest(ARRAY[e.id, e.project_id, e.organization_id]) FROM environments e WHERE e.id = $1)`
        : 'environment_id = $1';
      // What was released and admitted stands in the ledger of either side.
      const moved = name.startsWith('key_ledger') ? ' AND false' : '';
      const isAlive = alive ? ` AND ${alive.databaseName} IS NULL` : '';
      const rows = await rowsOf<{ row: object }>(
        { app } as TestApp,
        `SELECT to_jsonb(t) - $2::text[] AS row FROM ${name} t WHERE ${scope}${moved}${isAlive} ORDER BY to_jsonb(t)::text`,
        [world.environmentId, hidden.map(({ databaseName }) => databaseName)],
      );
      found[name] = rows.map(({ row }) => row).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    }
    return found;
  };

  /** Tables whose secrets the envelope of the process opens, with what each row is sealed for. */
  const sealedTables = ({ app }: TestApp) =>
    app.get(MovingParts).moving.flatMap(({ entity, seal }) => {
      if (!seal || typeof seal.by !== 'function') return [];
      const { tableName, columns } = app.get(Database).metadataOf(entity);
      const { databaseName } = columns.find(({ propertyName }) => propertyName === seal.column)!;
      return [{ table: tableName, column: databaseName, contextOf: seal.by }];
    });
  /** A row with a secret in each of them. */
  const addSecrets = async (): Promise<void> => {
    const [credential] = await rowsOf<{ id: string }>(here, 'SELECT id FROM credentials WHERE user_id = $1', [
      person.userId,
    ]);
    const [wallet] = await rowsOf<{ id: string; keysId: string }>(
      here,
      `SELECT id, seed_id AS "keysId" FROM wallets WHERE user_id = $1 AND kind = 'embedded' ORDER BY id`,
      [person.userId],
    );
    const envelope = new Envelope(parseKeyRing(here.masterKey));
    const common = {
      environment_id: world.environmentId,
      user_id: person.userId,
      credential_id: credential!.id,
      created_at: 'now',
      updated_at: 'now',
    };
    const rows: Record<string, object> = {
      environment_secrets: { name: 'captcha' },
      providers: { provider: 'github', configuration: {} },
      key_share_backups: {
        wallet_id: wallet!.id,
        keys_id: wallet!.keysId,
        generation: 1,
        location: 'platform',
        password_encrypted: true,
      },
      key_share_sets: { scheme: 'TWO_OF_TWO', protocol: 'SHAMIR', generation: 1, public_shares: {} },
      mfa_devices: { type: 'totp', last_step: 7, failures: 0, failures_in_row: 0, is_default: false },
      oauth_tokens: { provider: 'github' },
      wallet_secrets: { wallet_id: wallet!.id, kind: 'backup-key' },
      name_services: { ...DOMAIN, address: `0x${'1'.repeat(40)}`, enabled_at: 'now' },
    };
    for (const { table, column, contextOf } of sealedTables(here)) {
      if (!(table in rows)) continue;
      const row = { ...common, id: newId(), ...rows[table] };
      const sealed = await envelope.seal(Buffer.from(`secret of ${table}`), contextOf(row));
      const whole = { ...row, [column]: `\\x${sealed.toString('hex')}`, master_key_id: envelope.keyIdOf(sealed) };
      const { columns } = here.app
        .get(Database)
        .metadataOf(
          here.app
            .get(MovingParts)
            .moving.find((one) => here.app.get(Database).metadataOf(one.entity).tableName === table)!.entity,
        );
      const names = columns.map(({ databaseName }) => databaseName).filter((name) => name in whole);
      await rowsOf(
        here,
        `INSERT INTO ${table} (${names.join()}) SELECT ${names.join()} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`,
        [JSON.stringify(whole)],
      );
    }
  };
  /** Proven, and not due for a week. */
  const addActiveHostname = ({ test, environmentId }: World) =>
    rowsOf(
      test,
      `INSERT INTO custom_hostnames (environment_id, id, hostname, usage, status, challenge, checked_at, next_check_at)
       VALUES ($1, gen_random_uuid(), $2, 'cookies', 'active', 'challenge', now(), now() + interval '7 days')`,
      [environmentId, HOSTNAME],
    );
  const addEnabledDomain = ({ test, environmentId }: World) =>
    rowsOf(
      test,
      `INSERT INTO name_services (environment_id, id, chain, domain, address, enabled_at)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, now())`,
      [environmentId, DOMAIN.chain, DOMAIN.domain, `0x${'2'.repeat(40)}`],
    );
  /** Everything sealed, opened: by table and key. */
  const secretsOf = async (side: TestApp): Promise<Record<string, string>> => {
    const envelope = new Envelope(parseKeyRing(side.masterKey));
    const found: Record<string, string> = {};
    for (const { table, column, contextOf } of sealedTables(side)) {
      const rows = await rowsOf<{ row: Record<string, unknown>; sealed: Buffer; key: string }>(
        side,
        `SELECT to_jsonb(t) AS row, ${column} AS sealed, master_key_id AS key FROM ${table} t
         WHERE environment_id = $1 AND ${column} IS NOT NULL`,
        [world.environmentId],
      );
      for (const { row, sealed, key } of rows) {
        expect(key).toBe(envelope.keyIdOf(sealed));
        const opened = await envelope.open(sealed, contextOf(row));
        found[`${table} ${String(row['id'] ?? row['name'])}`] = opened.expose().toString('base64');
      }
    }
    return found;
  };

  beforeAll(async () => {
    here = await installation();
    world = await World.create(here);
    site = await PasskeySite.register(world);
    person = await site.person();
    authenticator = await site.add(person);
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM', 'SOL', 'SUI', 'BTC'] }];
    await world.anonymous.post(
      world.sdk('/users/embeddedWallets'),
      { embeddedWallets },
      { token: person.jwt, expect: 201 },
    );
    const { body } = await world.api.get<{ user: { wallets: Wallet[] } }>(world.path(`/users/${person.userId}`));
    wallets = body.user.wallets;
    const hook = { url: 'https://hooks.example.com/in', events: ['user.created'], isEnabled: true };
    await world.owner.post(world.path('/webhooks'), hook, { expect: 201 });
    const list = { name: 'early', outcome: 'scope', scope: 'early' };
    await world.owner.post(world.path('/allowlists'), list, { expect: 201 });
    await world.api.post(world.path('/gates'), GATE, { expect: 201 });
    await addSite(world);
    const claim = await keySignIn(world, key);
    const { body: holder } = await world.anonymous.post<SignedIn['body']>(world.sdk('/verify'), claim, { expect: 200 });
    holderId = holder.user['id'];
    await fillRows(
      here,
      `INSERT INTO users (environment_id, id, email, metadata, created_at)
       SELECT $1, gen_random_uuid(), 'many' || i || '@example.com', jsonb_build_object('n', 12345678901234567890 + i), now()
       FROM generate_series(1, $2::int) i`,
      [world.environmentId, MANY],
    );
    await addSecrets();
    await addActiveHostname(world);
    const texts = await newOperatorKey();
    operator = {
      publicKey: await parseOperatorPublicKey(texts.publicKey),
      secret: parseOperatorSecret(texts.secret),
    };
    ({ digest } = await here.app.get(EnvironmentExport).write(world.environmentId, archive, operator.publicKey));
  }, 120_000);
  afterAll(async () => {
    await here.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('includes every table of a tenant, or says why not', async () => {
    const tables = await rowsOf<{ name: string }>(
      here,
      `SELECT DISTINCT c.relname AS name FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('environment_id', 'organization_id')
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`,
    );
    const all = [...new Set([...tables.map(({ name }) => name), 'organizations', 'environments'])];
    const { moving, staying } = here.app.get(MovingParts);
    const metadata = here.app.get(Database);
    const claims = [...moving, ...staying].map(({ entity }) => metadata.metadataOf(entity).tableName);
    expect(findUnclaimed(all, claims)).toEqual([]);
    // A table that a context adds and forgets is seen, and so is one that is claimed twice.
    expect(findUnclaimed([...all, 'parcels'], claims)).toEqual(['parcels']);
    expect(findUnclaimed(all, [...claims, 'users'])).toEqual(['users']);
  });

  it('reports rows in undeclared tables before it leaves', async () => {
    const survey = here.app.get(EnvironmentSurvey);
    const environmentId = mintEnvironmentId(world.environmentId);
    const unsaid = async () =>
      (await survey.of(environmentId)).staying.filter(({ reason }) => /no module/.test(reason));
    expect(await unsaid()).toEqual([]);
    await rowsOf(
      here,
      `CREATE TABLE parcels (environment_id uuid REFERENCES environments (id), id uuid, PRIMARY KEY (environment_id, id))`,
    );
    try {
      await rowsOf(here, 'INSERT INTO parcels VALUES ($1, gen_random_uuid())', [world.environmentId]);
      expect(await unsaid()).toEqual([{ table: 'parcels', rows: 1, reason: 'no module says whether it moves' }]);
    } finally {
      await rowsOf(here, 'DROP TABLE parcels');
    }
  });

  it('imports tables in an order in which references exist', async () => {
    const order = (await here.app.get(EnvironmentSurvey).tablesInOrder()).map(({ name }) => name);
    const references = await rowsOf<{ table: string; parent: string }>(
      here,
      `SELECT conrelid::regclass::text AS "table", confrelid::regclass::text AS parent FROM pg_constraint
       WHERE contype = 'f' AND conrelid <> confrelid`,
    );
    const wrong = references.filter(
      ({ table, parent }) => order.includes(table) && !order.slice(0, order.indexOf(table)).includes(parent),
    );
    expect(wrong).toEqual([]);
  });

  it('is one tar file, readable by its owner only, without any key in plaintext', async () => {
    const { stdout } = await promisify(execFile)('tar', ['-tzf', archive]);
    const members = stdout.trim().split('\n');
    expect(members[0]).toBe('head.json');
    expect(members.at(-1)).toBe('manifest.json');
    expect(members.filter((name) => name.startsWith('users/'))).toHaveLength(Math.ceil(PEOPLE / 500));
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect(existsSync(`${archive}.spool`) || existsSync(`${archive}.part`)).toBe(false);
    const bytes = gunzipSync(readFileSync(archive));
    const envelope = new Envelope(parseKeyRing(here.masterKey));
    const seeds = await rowsOf<{ id: string; sealed: Buffer }>(
      here,
      'SELECT id, sealed_entropy AS sealed FROM wallet_seeds WHERE environment_id = $1',
      [world.environmentId],
    );
    expect(seeds).toHaveLength(1);
    for (const { id: subjectId, sealed } of seeds) {
      const owner = { environmentId: world.environmentId, userId: person.userId, subjectId };
      const seed = await envelope.open(sealed, { purpose: 'wallet', kind: 'hd-entropy', ...owner });
      for (const form of ['hex', 'base64', 'base64url'] as const) {
        expect(bytes.includes(seed.expose().toString(form))).toBe(false);
        expect(bytes.includes(sealed.toString(form))).toBe(false);
      }
    }
  });

  describe('arrives', () => {
    let there: TestApp;
    let moved: World;

    beforeAll(async () => {
      there = await installation();
      const stranger = await World.create(there);
      await addActiveHostname(stranger);
      await addEnabledDomain(stranger);
      const result = await take(there);
      expect(result).toMatchObject({ resumedAt: 0 });
      moved = Object.create(world, { test: { value: there } }) as World;
    }, 120_000);
    afterAll(() => there.close());

    it('with every row as it was', async () => {
      const [before, after] = [await contents(here), await contents(there)];
      expect(before['users']).toHaveLength(PEOPLE);
      expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThanOrEqual(12);
      expect(after).toEqual(before);
      const [count] = await rowsOf<{ users: number }>(
        there,
        'SELECT sum(users)::int AS users FROM user_counts WHERE environment_id = $1',
        [world.environmentId],
      );
      expect(count).toEqual({ users: PEOPLE });
    });

    it('with every secret, under the master key of its new home', async () => {
      const [before, after] = [await secretsOf(here), await secretsOf(there)];
      expect(new Set(Object.keys(before).map((name) => name.split(' ', 1)[0]))).toEqual(
        new Set(sealedTables(here).flatMap(({ table }) => (EXTENSION_TABLES.includes(table) ? [] : [table]))),
      );
      expect(after).toEqual(before);
    });

    it('with users who sign in by a code as before', async () => {
      const { userId } = await moved.signIn(person.email);
      expect(userId).toBe(person.userId);
      const stranger = await moved.signIn(newEmail());
      expect(stranger.userId).not.toBe(person.userId);
    });

    it('with working passkeys', async () => {
      const siteThere = Object.create(site, { world: { value: moved } }) as PasskeySite;
      const options = await siteThere.request();
      const { status, body } = await siteThere.signIn(authenticator.get(options, site));
      expect([status, body.user?.id]).toEqual([200, person.userId]);
    });

    it('with wallets that sign for the address they had', async () => {
      const { jwt } = await moved.signIn(person.email);
      const evm = wallets.find(({ chain }) => chain === 'EVM')!;
      const message = 'moved, and still mine';
      const { body } = await moved.anonymous.post<{ signature: Hex }>(
        moved.sdk(`/users/embeddedWallets/${evm.id}/sign`),
        { kind: 'message', message },
        { token: jwt, expect: 200 },
      );
      expect(await recoverMessageAddress({ message, signature: body.signature })).toBe(evm.publicKey);
    });

    it('with wallets by which users sign in as before', async () => {
      const { body } = await moved.anonymous.post<SignedIn['body']>(moved.sdk('/verify'), await keySignIn(moved, key), {
        expect: 200,
      });
      expect(body.user['id']).toBe(holderId);
    });

    it('with wallets whose exported keys sign elsewhere for the same address', async () => {
      const { jwt } = await moved.signIn(person.email);
      const evm = wallets.find(({ chain }) => chain === 'EVM')!;
      const recipient = newRecipient('X25519');
      const { body: opened } = await moved.anonymous.post<{ roomId: string }>(
        moved.sdk(`/waas/${evm.id}/privateKey/export`),
        { exportId: base58.encode(recipient.publicKey) },
        { token: jwt, headers: await proofOf(moved, jwt), expect: 200 },
      );
      const { body } = await moved.anonymous.get<{ exportBundle: string }>(
        moved.sdk(`/users/embeddedWallets/${evm.id}/activities/${opened.roomId}/export`),
        { token: jwt, expect: 200 },
      );
      const bundle = JSON.parse(body.exportBundle) as { enc: string; ciphertext: string };
      const [enc, sealed] = [bundle.enc, bundle.ciphertext].map((text) => Buffer.from(text, 'base64url'));
      const info = `export/v1|${world.environmentId}|${person.userId}|${evm.id}|${opened.roomId}`;
      const secret = recipient.open(enc!, sealed!, Buffer.from(info), Buffer.from(evm.publicKey));
      const account = privateKeyToAccount(`0x${secret.toString('hex')}`);
      expect(account.address).toBe(evm.publicKey);
      const message = 'taken along, and still mine';
      const signature = await account.signMessage({ message });
      expect(await recoverMessageAddress({ message, signature })).toBe(evm.publicKey);
    });

    it('with gates and lists that decide as before', async () => {
      const gates = 'SELECT name, outcome, scope, enabled_at AS "enabledAt" FROM gates WHERE environment_id = $1';
      const { name, outcome, scope } = GATE;
      expect(await rowsOf(there, gates, [world.environmentId])).toEqual([{ name, outcome, scope, enabledAt: null }]);
      const names = 'SELECT name FROM allowlists WHERE environment_id = $1';
      expect(await rowsOf(there, names, [world.environmentId])).toEqual([{ name: 'early' }]);
    });

    it('with its key ledger, which continues and names each imported key', async () => {
      for (const [side, operation] of [
        [here, 'export'],
        [there, 'import'],
      ] as const) {
        const ledger = await side.app.get(LedgerVerifier).verify(world.environmentId);
        expect(ledger.broken).toBeUndefined();
        const rows = await rowsOf(side, 'SELECT 1 FROM key_ledger WHERE environment_id = $1 AND operation = $2', [
          world.environmentId,
          operation,
        ]);
        expect(rows).toHaveLength(1);
      }
    });

    it('with webhooks that are switched off and have secrets of their own', async () => {
      const hooks = await rowsOf<{ url: string; is_enabled: boolean; sealed: Buffer; id: string }>(
        there,
        'SELECT id, url, is_enabled, sealed_secret AS sealed FROM webhooks WHERE environment_id = $1',
        [world.environmentId],
      );
      expect(hooks).toEqual([expect.objectContaining({ url: 'https://hooks.example.com/in', is_enabled: false })]);
      const context = { purpose: 'webhook', environmentId: world.environmentId, kind: 'signing-secret' };
      const opened = await new Envelope(parseKeyRing(there.masterKey)).open(hooks[0]!.sealed, {
        ...context,
        subjectId: hooks[0]!.id,
      });
      const [old] = await rowsOf<{ sealed: Buffer }>(
        here,
        'SELECT sealed_secret AS sealed FROM webhooks WHERE id = $1',
        [hooks[0]!.id],
      );
      const before = await new Envelope(parseKeyRing(here.masterKey)).open(old!.sealed, {
        ...context,
        subjectId: hooks[0]!.id,
      });
      expect(opened.expose().toString()).toMatch(/^whsec_/);
      expect(opened.expose()).not.toEqual(before.expose());
    });

    it('with hostnames that have to be proven here, even while one is active in the environment of a stranger', async () => {
      const sql = `SELECT hostname, status, errors, checked_at AS "checkedAt", next_check_at <= now() AS due, challenge
        FROM custom_hostnames WHERE environment_id = $1`;
      const pending = { status: 'pending', errors: null, checkedAt: null, due: true, challenge: 'challenge' };
      expect(await rowsOf(there, sql, [world.environmentId])).toEqual([{ hostname: HOSTNAME, ...pending }]);
    });

    it('with a domain that has to be enabled here, even while it is enabled in the environment of a stranger', async () => {
      const sql = 'SELECT chain, domain, enabled_at AS "enabledAt" FROM name_services WHERE environment_id = $1';
      expect(await rowsOf(there, sql, [world.environmentId])).toEqual([{ ...DOMAIN, enabledAt: null }]);
    });

    it('once: a second import is refused, as is an existing environment', async () => {
      await expect(take(there)).rejects.toThrow('imported already');
      await expect(take(here)).rejects.toThrow('exists here');
    });
  });

  describe('that does not arrive as it left', () => {
    let there: TestApp;
    beforeAll(async () => void (there = await installation()), 60_000);
    afterAll(() => there.close());

    const altered = (change: (tar: Buffer) => Buffer): string => {
      const path = join(folder, `altered-${Math.trunc(performance.now() * 1e3)}.tar.gz`);
      writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(archive)))));
      return path;
    };

    it.each([
      [
        'an address in it is another one',
        (tar: Buffer) => replaced(tar, 'many7@example.com', 'evil7@example.com'),
        'altered',
      ],
      ['its end is missing', (tar: Buffer) => tar.subarray(0, tar.length - 40_960), 'no archive that can be read'],
      [
        'it is said to be for another environment',
        (tar: Buffer) => replaced(tar, '"exportId"', '"exportIx"'),
        'altered',
      ],
    ])('is refused before anything is written: %s', async (_, change, problem) => {
      await expect(take(there, altered(change))).rejects.toThrow(problem);
      expect(await environmentsOf(there)).toBe(0);
    });

    it('is refused if the file is missing or not an archive', async () => {
      const path = join(folder, 'letter.txt');
      writeFileSync(path, 'Dear all');
      await expect(take(there, path)).rejects.toThrow(MovingRefusedError);
      await expect(take(there, join(folder, 'nowhere'))).rejects.toThrow(MovingRefusedError);
      expect(await environmentsOf(there)).toBe(0);
    });

    it('is refused with the secret of another operator', async () => {
      const verified = await there.app.get(ArchiveReader).verify(archive);
      const other = parseOperatorSecret((await newOperatorKey()).secret);
      await expect(there.app.get(EnvironmentImport).run(verified, world.environmentId, other)).rejects.toThrow(
        'sealed to another key',
      );
      expect(await environmentsOf(there)).toBe(0);
    });

    it('resumes where it was interrupted, and is invisible until complete', async () => {
      const names: string[] = [];
      const stop = take(there, archive, (name) => {
        names.push(name);
        if (name === 'users/000002.ndjson') throw new Error('the power failed');
      });
      await expect(stop).rejects.toThrow('the power failed');
      const imports = there.app.get(EnvironmentImportsRepository);
      expect(await imports.isHidden(world.environmentId)).toBe(true);
      // Whoever works in the organization already, with what came before.
      const { organizationId, ownerUserId } = world.ids;
      const join = "INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, $2, $3, 'owner')";
      await rowsOf(there, join, [organizationId, newId(), ownerUserId]);
      const shown = async () => {
        const { projects } = await there.app.get(ProjectsService).list(mintOrganizationId(organizationId));
        const ofMember = await there.app.get(OrganizationsService).listEnvironments(ownerUserId);
        return [...projects.flatMap(({ projectEnvironments }) => projectEnvironments.map(({ id }) => id)), ...ofMember];
      };
      expect(await shown()).toEqual([]);
      const users = 'SELECT count(*)::int AS rows FROM users WHERE environment_id = $1';
      expect(await rowsOf(there, users, [world.environmentId])).toEqual([{ rows: 1_000 }]);
      const rest: string[] = [];
      const result = await take(there, archive, (name) => rest.push(name));
      expect(result.resumedAt).toBe(names.length);
      expect(rest[0]).toBe('users/000003.ndjson');
      expect(await contents(there)).toEqual(await contents(here));
      expect(await imports.isHidden(world.environmentId)).toBe(false);
      expect(await shown()).toEqual([world.environmentId, world.environmentId]);
      expect(await there.app.get(TenantDirectory).findEnvironment(world.environmentId)).toMatchObject({
        kind: 'sandbox',
      });
    }, 60_000);
  });

  it(`comes in once, of ${AT_ONCE} imports at once`, async () => {
    const there = await installation();
    try {
      const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => take(there)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(MovingRefusedError);
      }
      expect(await contents(there)).toEqual(await contents(here));
    } finally {
      await there.close();
    }
  }, 180_000);

  it('can be abandoned, and then leaves nothing behind', async () => {
    const there = await installation();
    try {
      const stop = take(there, archive, () => {
        throw new Error('second thoughts');
      });
      await expect(stop).rejects.toThrow('second thoughts');
      expect(await there.app.get(TenantDirectory).findEnvironment(world.environmentId)).toBeNull();
      const imports = there.app.get(EnvironmentImport);
      expect(await imports.discard(world.environmentId)).toBe(true);
      expect(await imports.discard(world.environmentId)).toBe(false);
      await expect(take(there)).rejects.toThrow('being removed');
    } finally {
      await there.close();
    }
  }, 60_000);

  describe('whose project is deleted at its destination', () => {
    let there: TestApp;
    let projectId: string;
    const copy = async (table: string, id: string): Promise<void> => {
      const [found] = await rowsOf<{ row: object }>(here, `SELECT to_jsonb(t) AS row FROM ${table} t WHERE id = $1`, [
        id,
      ]);
      const sql = `INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`;
      await rowsOf(there, sql, [JSON.stringify(found!.row)]);
    };
    /** As the service does it, but for the rights of the one who asks. */
    const deleteProject = async (): Promise<void> => {
      await rowsOf(there, 'UPDATE projects SET deleted_at = now() WHERE id = $1', [projectId]);
      await rowsOf(there, 'UPDATE environments SET deleted_at = now() WHERE project_id = $1', [projectId]);
    };

    beforeEach(async () => {
      there = await installation();
      const sql = 'SELECT project_id AS "projectId" FROM environments WHERE id = $1';
      [{ projectId }] = (await rowsOf<{ projectId: string }>(here, sql, [world.environmentId])) as [
        { projectId: string },
      ];
    });
    afterEach(() => there.close());

    it('is refused before anything is written, if that was shortly before', async () => {
      await copy('organizations', world.ids.organizationId);
      await copy('projects', projectId);
      await deleteProject();
      await expect(take(there)).rejects.toThrow('project was deleted');
      expect(await environmentsOf(there)).toBe(0);
    });

    it('is refused with the reason, if that is meanwhile', async () => {
      const imports = there.app.get(EnvironmentImportsRepository);
      const finish = imports.finish.bind(imports);
      jest.spyOn(imports, 'finish').mockImplementation(async (...terms) => {
        await deleteProject();
        return finish(...terms);
      });
      await expect(take(there)).rejects.toThrow('project was deleted');
      expect(await there.app.get(TenantDirectory).findEnvironment(world.environmentId)).toBeNull();
    });
  });

  it('leaves an existing key ledger unchanged and usable', async () => {
    const use = {
      operation: 'sign',
      actor: SERVICE,
      userId: person.userId,
      keysId: person.userId,
      subject: {},
      reason: 'test',
      digest: null,
      verdict: 'allowed',
    } as const;
    const useIn = ({ app }: TestApp) => app.get(KeyLedger).recordAlone(world.environmentId, use);
    const there = await installation();
    try {
      await useIn(there);
      for (let at = 0; at < 9; at += 1) await useIn(here);
      const newer = join(folder, 'newer.tar.gz');
      await here.app.get(EnvironmentExport).write(world.environmentId, newer, operator.publicKey);
      await take(there, newer);
      await useIn(there);
      expect((await there.app.get(LedgerVerifier).verify(world.environmentId)).broken).toBeUndefined();
    } finally {
      await there.close();
    }
  }, 60_000);

  it('is written by one of two concurrent commands with the same file, and only that one reports success', async () => {
    const [key, file] = [join(folder, 'at-once.key'), join(folder, 'at-once.tar.gz')];
    const { stdout: publicKey } = await command(here.app, 'environments', 'new-key', '--to', key);
    const words = ['environments', 'export', world.environmentId, '--to', file, '--key', publicKey.trim()];
    const both = await Promise.all([command(here.app, ...words), command(here.app, ...words)]);
    const [written, refused] = both.toSorted((one, other) => one.code! - other.code!);
    expect(refused).toMatchObject({ code: 1, stderr: `${file} is there already.\n` });
    const { digest: found } = await here.app.get(ArchiveReader).verify(file);
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining(`digest  ${found}\n`) });
  }, 60_000);

  it('moves by three commands, the last of which may be killed and run again, and names an owner', async () => {
    const there = await installation();
    const cli = (test: TestApp, ...words: string[]): [string[], Record<string, string>] => [
      ['node', 'scripts/run.js', 'cli', 'environments', ...words],
      { DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey, DATA_DIR: join(folder, 'data') },
    ];
    const [key, file] = [join(folder, 'operator.key'), join(folder, 'by-command.tar.gz')];
    try {
      const made = await command(here.app, 'environments', 'new-key', '--to', key);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      const archive = ['--to', file, '--key', made.stdout.trim()];
      await leavesNothing(file, ...cli(here, 'export', world.environmentId, ...archive));
      const planned = await run(...cli(here, 'export', world.environmentId, '--plan'));
      expect(planned).toMatchObject({ code: 0, stderr: '' });
      expect(planned.stdout).toMatch(/^stays {3}\d+ {2}sessions: everybody signs in again$/m);
      expect(planned.stdout).toMatch(/^stays {3}1 {2}webhooks: secrets, keys and header fields stay/m);
      expect(planned.stdout).toMatch(new RegExp(`^moves {3}${PEOPLE} {2}users$`, 'm'));
      expect(existsSync(file)).toBe(false);
      const exported = await command(here.app, 'environments', 'export', world.environmentId, ...archive);
      expect(exported).toMatchObject({ code: 0, stderr: '' });
      // All that the plan says, the same and in its order, and only then what was written.
      const kinds = exported.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ', 1)[0]!);
      expect(kinds.filter((kind, at) => kind !== kinds[at - 1])).toEqual(['moves', 'stays', 'written', 'digest']);
      const told = (text: string): string[] => text.split('\n').filter((line) => /^(moves|stays)/.test(line));
      expect(told(exported.stdout)).toEqual(told(planned.stdout));
      const [, printed] = /^digest {2}([0-9a-f]{64})$/m.exec(exported.stdout)!;
      const wrong = await command(there.app, 'environments', 'import', file, '--key', key, '--digest', digest);
      expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('not the expected one') });
      const words = ['import', file, '--key', key, '--digest', printed!];
      const [[, ...program], settings] = cli(there, ...words);
      const killed = spawn(process.execPath, program, { env: environmentWith(settings), stdio: 'ignore' });
      const ended = once(killed, 'exit');
      const begun = 'SELECT 1 FROM environment_imports WHERE environment_id = $1';
      while (killed.exitCode === null && (await rowsOf(there, begun, [world.environmentId])).length === 0)
        await delay(10);
      killed.kill('SIGKILL');
      await ended;
      // On a machine that is quick enough the first one was done before it was killed: then the owner alone is added.
      words.push('--owner', 'Owner@example.com');
      let owned = await run(...cli(there, ...words));
      // What was killed may have committed once more meanwhile.
      for (let tries = 0; tries < 20 && owned.stderr.includes('is running'); tries++) {
        owned = await run(...cli(there, ...words));
      }
      expect(owned).toMatchObject({ code: 0, stderr: '' });
      expect(await contents(there)).toEqual(await contents(here));
      const [, link] = /^link {10}(\S+)$/m.exec(owned.stdout)!;
      const members = `SELECT m.role, u.email FROM members m JOIN users u ON u.id = m.user_id
        JOIN environments e ON e.organization_id = m.organization_id WHERE e.id = $1`;
      const owner = [{ role: 'owner', email: 'owner@example.com' }];
      expect(await rowsOf(there, members, [world.environmentId])).toEqual(owner);
      const other = await command(there.app, 'environments', ...words.slice(0, -1), 'other@example.com');
      expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('already has an owner') });
      const renewed = await command(there.app, 'environments', ...words);
      expect(renewed.code).toBe(0);
      expect(renewed.stdout).not.toContain(link);
      expect(await rowsOf(there, members, [world.environmentId])).toEqual(owner);
      expect(await rowsOf(there, "SELECT 1 FROM users WHERE email = 'other@example.com'", [])).toEqual([]);
      // The link that was printed first has ended with the second one, which signs its owner in to what has moved.
      expect((await followed(there, link!)).status).toBe(422);
      const entered = await followed(there, /^link {10}(\S+)$/m.exec(renewed.stdout)![1]!);
      expect(entered.status).toBe(200);
      const caller = new TestClient(there.url, entered.body.jwt);
      const { body: own } = await caller.get<{ organizations: object[] }>('/organizations', { expect: 200 });
      expect(own.organizations).toMatchObject([{ role: 'owner' }]);
      const { body: users } = await caller.get<{ count: number }>(world.path('/users'), { expect: 200 });
      expect(users.count).toBeGreaterThan(0);
    } finally {
      await there.close();
    }
  }, 300_000);

  it('is in the audit trail with its last step: if interrupted before, it is not imported', async () => {
    const there = await installation();
    const [key, file] = [join(folder, 'noted.key'), join(folder, 'noted.tar.gz')];
    try {
      const made = await command(here.app, 'environments', 'new-key', '--to', key);
      const words = ['--to', file, '--key', made.stdout.trim()];
      await command(here.app, 'environments', 'export', world.environmentId, ...words);
      const bringIn = () => command(there.app, 'environments', 'import', file, '--key', key);
      const noting = jest.spyOn(there.app.get(ChangeLog), 'note').mockImplementation(() => {
        throw new Error('the power failed');
      });
      expect((await bringIn()).code).toBe(1);
      noting.mockRestore();
      expect(await there.app.get(EnvironmentImportsRepository).isHidden(world.environmentId)).toBe(true);
      expect(await bringIn()).toMatchObject({ code: 0, stderr: '' });
      const noted = "SELECT actor FROM audit_records WHERE action = 'environment.imported' AND resource_id = $1";
      expect(await rowsOf(there, noted, [world.environmentId])).toHaveLength(1);
    } finally {
      await there.close();
    }
  }, 180_000);

  it('has emails compared as here, even from an older version', async () => {
    const email = `İda-${newId()}@bücher.example`;
    const work = here.app.get(UnitOfWork);
    await here.app.get(UserCreation).create(world.environmentId, { email }, { kind: 'service' }, work);
    const rows = here.app.get(MovedRows, { strict: false });
    const columnsOf = rows.columnsOf.bind(rows);
    const before = jest.spyOn(rows, 'columnsOf');
    before.mockImplementation((table) => columnsOf(table).filter((column) => column !== 'email_key'));
    const older = join(folder, 'older.tar.gz');
    await here.app.get(EnvironmentExport).write(world.environmentId, older, operator.publicKey);
    before.mockRestore();
    const there = await installation();
    try {
      await take(there, older);
      const sql = 'SELECT email_key FROM credentials WHERE email = $1';
      expect(await rowsOf(there, sql, [email])).toEqual(await rowsOf(here, sql, [email]));
    } finally {
      await there.close();
    }
  }, 60_000);
});

/** Does what the page of a link does when its button is pressed. */
async function followed(at: TestApp, link: string): Promise<{ status: number; body: { jwt?: string } }> {
  const { pathname, hash } = new URL(link);
  const answer = await fetch(`${at.url}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: hash.slice(1) }),
  });
  return { status: answer.status, body: (await answer.json()) as { jwt?: string } };
}

function replaced(tar: Buffer, text: string, by: string): Buffer {
  const at = tar.indexOf(text);
  expect(at).toBeGreaterThan(0);
  return Buffer.concat([tar.subarray(0, at), Buffer.from(by), tar.subarray(at + by.length)]);
}
