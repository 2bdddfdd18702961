import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { recoverMessageAddress, type Hex } from 'viem';
import type { EnvironmentId } from '../../src/auth/index.js';
import { CustodianRegistry, KeyImport, KeyRotation, type RotationProgress } from '../../src/custody/index.js';
import { SealedBlobError, SealedRecordsRegistry, generateMasterKey, parseKeyRing } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Answer } from '../support/client.js';
import {
  createSplitWallet,
  createWallet,
  KeyGeneration,
  SplitGeneration,
  type OpenedRoom,
  type OpenedSplit,
} from '../../clients/custody/src/index.js';
import { addNameService } from '../support/name-services.js';
import { roomsOf } from '../support/shared-wallet.js';
import { importKey } from '../support/imported-key.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { addOauthAccount } from '../support/oauth-account.js';
import { dumpAndRestore, hasPgDump } from '../support/pg-dump.js';
import {
  createDatabase,
  createEmptyDatabase,
  databaseUrl,
  withClient,
  type TestDatabase,
} from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { environmentWith, run } from '../support/service-process.js';
import { copyTables, restoreTables } from '../support/table-copy.js';
import { accountsOf, openEntropy, storedSeeds } from '../support/wallet-keys.js';
import { addDevice, allowSecondFactors } from '../support/second-factor.js';
import { World, newEmail } from '../support/world.js';

interface WalletJson {
  id: string;
  chain: string;
  publicKey: string;
}
interface OneUser {
  user: { id: string; wallets: WalletJson[] };
}

interface SeedRow {
  id: string;
  sealed_entropy: Buffer;
}

const USERS = 24;
/** For a program to start, on a machine that runs other suites as well. */
const PATIENCE_MS = 120_000;
/** The test account is made with it, so that its answer is among what is sealed. */
const KEY = { 'Idempotency-Key': 'test-account' };
const ALL = ['EVM', 'SOL', 'SUI', 'BTC'];

/** A deployment with users, and everything that must still work when it is moved or its master key changes. */
class Deployment {
  private constructor(
    readonly world: World,
    readonly emails: readonly string[],
    readonly webhookId: string,
    readonly secret: string,
    readonly testCode: string,
    /** `chain address` of every wallet, by user. */
    readonly addresses: ReadonlyMap<string, readonly string[]>,
  ) {}

  static async create(test: TestApp): Promise<Deployment> {
    const world = await World.create(test);
    const emails = Array.from({ length: USERS }, newEmail);
    const addresses = new Map<string, string[]>();
    for (const identifier of emails) {
      const { user } = (await prepare(world, identifier, ['EVM', 'SOL'])).body;
      addresses.set(user.id, addressesOf(user));
    }
    const hook = await world.api.post<{ webhookId: string; secret: string }>(
      world.path('/webhooks'),
      { url: 'https://example.com/hooks', isEnabled: false, events: ['wallet.created'] },
      { expect: 201 },
    );
    const account = await world.api.post<{ code: string }>(world.path('/test/account'), undefined, {
      expect: 201,
      headers: KEY,
    });
    await setUpSingleSignOn(world);
    const google = { provider: 'google', clientId: 'a', clientSecret: 'b' };
    await world.api.post(world.path('/settings/providers'), google, { expect: 201 });
    await allowSecondFactors(world);
    const { jwt, userId } = await world.signIn(newEmail());
    await addSharedWallet(world, jwt);
    await addDevice(world, jwt);
    await addOauthAccount(world, userId);
    const importer = { userId, sessionId: randomUUID() };
    await test.app.get(KeyImport).open(world.environmentId, importer, 'EVM');
    await addNameService(world);
    return new Deployment(world, emails, hook.body.webhookId, hook.body.secret, account.body.code, addresses);
  }

  /** The same world behind another instance. */
  behind(test: TestApp): World {
    return Object.assign(Object.create(World.prototype) as World, this.world, { test });
  }

  /** Reads every address, lets seeds give further ones, signs somebody in and asks for a sealed secret. */
  async expectUnharmed(test: TestApp): Promise<void> {
    const world = this.behind(test);
    for (const [id, expected] of this.addresses) {
      const { body } = await world.api.get<OneUser>(world.path(`/users/${id}`), { expect: 200 });
      expect(addressesOf(body.user).slice(0, expected.length)).toEqual(expected);
    }
    const [email] = this.emails;
    const { user } = (await prepare(world, email!, ALL)).body;
    const [seed] = await storedSeeds(test.databaseUrl, user.id);
    const derived = await accountsOf(await openEntropy(parseKeyRing(test.masterKey), seed!));
    expect(addressesOf(user).sort()).toEqual(derived.map(({ chain, address }) => `${chain} ${address}`).sort());
    const signedIn = await world.signIn(newEmail());
    await world.anonymous.get(world.sdk('/session'), { token: signedIn.jwt, expect: 204 });
    const hook = await world.api.get(world.path(`/webhooks/${this.webhookId}?includeSecret=true`), { expect: 200 });
    expect(hook.body).toMatchObject({ secret: this.secret });
    const account = await world.api.get(world.path('/test/account'), { expect: 200 });
    expect(account.body).toMatchObject({ code: this.testCode });
    const repeated = await world.api.post(world.path('/test/account'), undefined, { expect: 201, headers: KEY });
    expect([repeated.body, repeated.headers.get('idempotent-replayed')]).toEqual([account.body, 'true']);
  }
}

async function setUpSingleSignOn(world: World): Promise<void> {
  const provider = await IdentityProvider.start();
  const setup = { clientId: 'a', clientSecret: 'b', provider: 'okta', ssoDomain: provider.issuer };
  const path = `/organizations/${world.ids.organizationId}/ssoProvider`;
  await world.owner.post(path, { ...setup, emailDomain: 'acme.example' }, { expect: 201 });
  await provider.stop();
}

/** A wallet whose key is shared with its user, and a ceremony for another that is under way. */
async function addSharedWallet(world: World, token: string): Promise<void> {
  const open = async () => {
    const generation = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
    const request = { chain: 'SVM', clientKeygenIds: generation.keygenIds };
    const { body } = await world.anonymous.post<OpenedRoom>(world.sdk('/waas/create'), request, { token, expect: 200 });
    return { generation, opened: body };
  };
  const { generation, opened } = await open();
  const rooms = roomsOf(world, token);
  const { walletId } = await createWallet(rooms, world.environmentId, generation, opened, () => Promise.resolve());
  const backup = { encryptedAccountCredentials: ['what a device has encrypted'], passwordEncrypted: true };
  await world.anonymous.post(world.sdk(`/waas/${walletId}/keyShares/backup`), backup, { token, expect: 201 });
  await world.anonymous.get(world.sdk('/users/embeddedWallets/backup'), { token, expect: 200 });
  await open();
  await addSplitWallet(world, token);
}

/** A wallet whose key its device has split: the service's shares of it are sealed as such. */
async function addSplitWallet(world: World, token: string): Promise<void> {
  const generation = await SplitGeneration.begin('TWO_OF_TWO');
  const request = { chain: 'EVM', clientKeygenIds: generation.keygenIds };
  const options = { token, expect: 200 };
  const { body } = await world.anonymous.post<OpenedSplit>(world.sdk('/waas/create'), request, options);
  await createSplitWallet(roomsOf(world, token), world.environmentId, generation, body, () => Promise.resolve());
}

const prepare = (world: World, identifier: string, chains: string[]) =>
  world.api.post<OneUser>(world.path('/embeddedWallets'), { identifier, type: 'email', chains });

const addressesOf = ({ wallets }: OneUser['user']): string[] =>
  wallets.map(({ chain, publicKey }) => `${chain} ${publicKey}`);

const hasPrograms = await hasPgDump(process.env['GATEHOUSE_TEST_PG'] ?? '');

describe('the keys of wallets', () => {
  const masterKey = generateMasterKey();
  const nextKey = generateMasterKey();
  let database: TestDatabase;
  let deployment: Deployment;
  const made: TestDatabase[] = [];

  /** An instance for the length of `work`. */
  async function withApp<T>(url: string, ring: string, work: (test: TestApp) => Promise<T>): Promise<T> {
    const test = await startTestApp({ databaseUrl: url, masterKey: ring, env: { ROLE: 'api' } });
    try {
      return await work(test);
    } finally {
      await test.close();
    }
  }

  /** How many seeds a ring opens, and why the others stay shut. */
  async function opened(url: string, ring: string): Promise<{ opened: number; refusals: string[] }> {
    const [vault, refusals] = [parseKeyRing(ring), new Set<string>()];
    const seeds = await storedSeeds(url);
    const results = await Promise.all(
      seeds.map((seed) =>
        openEntropy(vault, seed).then(
          () => 1,
          (error: unknown) => {
            refusals.add(error instanceof SealedBlobError ? error.reason : String(error));
            return 0;
          },
        ),
      ),
    );
    return { opened: results.reduce<number>((sum, one) => sum + one, 0), refusals: [...refusals] };
  }

  /** Another database with the same content, file by file. */
  async function cloned(): Promise<string> {
    const { pathname } = new URL(database.url);
    const name = `${pathname.slice(1)}_copy_${made.length}`;
    const server = databaseUrl(database.url, 'postgres');
    const quoted = pg.escapeIdentifier(name);
    await withClient(server, (client) =>
      client.query(`CREATE DATABASE ${quoted} TEMPLATE ${pg.escapeIdentifier(pathname.slice(1))}`),
    );
    const drop = () => withClient(server, (client) => client.query(`DROP DATABASE ${quoted} WITH (FORCE)`));
    made.push({ url: databaseUrl(database.url, name), drop: async () => void (await drop()) });
    return made.at(-1)!.url;
  }

  beforeAll(async () => {
    database = await createDatabase();
    deployment = await withApp(database.url, masterKey, Deployment.create);
  });
  afterAll(async () => {
    await Promise.all(made.map((one) => one.drop()));
    await database.drop();
  });

  it('are the same after a restart', async () => {
    await withApp(database.url, masterKey, (test) => deployment.expectUnharmed(test));
  });

  /** What a backup is. The programs of PostgreSQL are used where they are not older than the server. */
  const copies: [string, () => Promise<string>][] = [
    ['a copy of the files', cloned],
    ['a dump and a restore of all tables', async () => copyInto(await keep(createDatabase()))],
    ...(hasPrograms
      ? [
          ['pg_dump and pg_restore', async () => restoredInto(await keep(createEmptyDatabase()))] as [
            string,
            () => Promise<string>,
          ],
        ]
      : []),
  ];
  const keep = async (created: Promise<TestDatabase>): Promise<TestDatabase> => {
    made.push(await created);
    return created;
  };
  const copyInto = async ({ url }: TestDatabase): Promise<string> => {
    await restoreTables(url, await copyTables(database.url));
    return url;
  };
  const restoredInto = async ({ url }: TestDatabase): Promise<string> => {
    await dumpAndRestore(database.url, url);
    return url;
  };

  describe.each(copies)('after %s', (_, copy) => {
    let url: string;
    beforeAll(async () => {
      url = await copy();
    });

    it('are the same with the master key', async () => {
      expect(await opened(url, masterKey)).toEqual({ opened: USERS, refusals: [] });
      await withApp(url, masterKey, (test) => deployment.expectUnharmed(test));
    });

    it('all sign with it, for the addresses that they had', async () => {
      const message = Buffer.from('Gatehouse');
      await withApp(url, masterKey, async (test) => {
        const custodian = test.app.get(CustodianRegistry).get('V1', 'sign');
        const seeds = await storedSeeds(url);
        expect(seeds).toHaveLength(USERS);
        for (const seed of seeds) {
          const accounts = await accountsOf(await openEntropy(parseKeyRing(masterKey), seed));
          const { address } = accounts.find(({ chain }) => chain === 'EVM')!;
          expect(deployment.addresses.get(seed.userId)).toContain(`EVM ${address}`);
          const held = { userId: seed.userId, keysId: seed.id, environmentId: seed.environmentId as EnvironmentId };
          const account = { ...held, chain: 'EVM', index: 0, address } as const;
          const { signature } = await custodian.sign(account, { kind: 'message', message });
          expect(await recoverMessageAddress({ message: 'Gatehouse', signature: signature as Hex })).toBe(address);
        }
      });
    });

    it('are all shut without it, whatever the other key is called', async () => {
      expect(await opened(url, nextKey)).toEqual({ opened: 0, refusals: ['unknown-key'] });
      const [name] = masterKey.split(':');
      const impostor = `${name}:${nextKey.split(':')[1]}`;
      expect(await opened(url, impostor)).toEqual({ opened: 0, refusals: ['not-authentic'] });
    });
  });

  describe('when the master key changes', () => {
    const bothKeys = `${nextKey},${masterKey}`;
    const leftOver = async (test: TestApp): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const records of test.app.get(SealedRecordsRegistry).all()) counts[records.name] = await records.count();
      return counts;
    };
    const KINDS = [
      'ceremony_rooms.sealed_state',
      'environment_secrets.sealed_value',
      'idempotency_keys.sealed_body',
      'key_imports.sealed_key',
      'key_share_backups.sealed_credential',
      'key_share_sets.sealed_shares',
      'mfa_devices.sealed_secret',
      'name_services.sealed_key',
      'oauth_tokens.sealed_tokens',
      'providers.sealed_secret',
      'service_secrets.sealed',
      'signing_keys.sealed_private_key',
      'sso_providers.sealed_client_secret',
      'wallet_secrets.sealed_secret',
      'wallet_seeds.sealed_entropy',
      'webhooks.sealed_secret',
    ];
    const nothing = Object.fromEntries(KINDS.map((name) => [name, 0]));

    /** The new key alone is enough, and nothing in the database is under the old one. */
    async function expectRotated(url: string): Promise<void> {
      expect(await opened(url, masterKey)).toEqual({ opened: 0, refusals: ['unknown-key'] });
      await withApp(url, nextKey, async (test) => {
        expect(await leftOver(test)).toEqual(nothing);
        await deployment.expectUnharmed(test);
      });
      const oldId = Buffer.from(masterKey.split(':')[0]!);
      const text = Buffer.concat((await copyTables(url)).map(({ rows }) => rows));
      expect(text.includes(oldId)).toBe(false);
      expect(text.includes(oldId.toString('hex'))).toBe(false);
    }

    it('are among what is moved, which is every table that has something sealed', async () => {
      const sealed = `SELECT DISTINCT table_name::text AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name LIKE 'sealed%'`;
      const tables = await withClient(
        database.url,
        async (client) => (await client.query<{ name: string }>(sealed)).rows,
      );
      expect(tables.map(({ name }) => name).sort()).toEqual(KINDS.map((kind) => kind.split('.')[0]));
    });

    it('are moved under the new one, with every other secret: the old one can be dropped', async () => {
      const url = await cloned();
      const { environmentId } = deployment.world;
      const [userId] = deployment.addresses.keys();
      const imported = await withApp(url, masterKey, (test) => importKey(test, { environmentId, userId: userId! }));
      await withApp(url, bothKeys, async (test) => {
        const before = await leftOver(test);
        expect(Object.keys(before).sort()).toEqual(KINDS);
        for (const count of Object.values(before)) expect(count).toBeGreaterThan(0);
        await deployment.expectUnharmed(test);
        const results = await test.app.get(KeyRotation).rewrapAll();
        expect(results.map(({ remaining }) => remaining)).toEqual(results.map(() => 0));
        const moved = Object.fromEntries(results.map(({ name, rewrapped }) => [name, rewrapped]));
        expect(moved).toEqual(await leftOver(test).then(() => before));
      });
      await expectRotated(url);
      const message = Buffer.from('Gatehouse');
      const signed = await withApp(url, nextKey, (test) =>
        test.app.get(CustodianRegistry).get('V1', 'sign').sign(imported, { kind: 'message', message }),
      );
      const { address, signature } = { ...imported, ...signed };
      expect(await recoverMessageAddress({ message: 'Gatehouse', signature: signature as Hex })).toBe(address);
    });

    it('are finished by the command after one that was killed in the middle, while people make wallets', async () => {
      const url = await cloned();
      const settings = { DATABASE_URL: url, MASTER_KEY: bothKeys, NODE_ENV: 'test' };
      const command = ['scripts/run.js', 'cli', 'keys', 'rewrap'];
      const statuses: number[] = [];
      await withApp(url, bothKeys, async (test) => {
        const world = deployment.behind(test);
        let isOver = false;
        const people = (async () => {
          while (!isOver) statuses.push((await prepare(world, newEmail(), ['EVM'])).status);
        })();
        try {
          // Somebody holds one seed, so that the command is still there when all others were moved.
          await withClient(url, async (holder) => {
            await holder.query('BEGIN');
            await holder.query('SELECT id FROM wallet_seeds ORDER BY id LIMIT 1 FOR UPDATE');
            const killed = spawn(process.execPath, command, { env: environmentWith(settings) });
            const ended = once(killed, 'exit');
            let said = '';
            killed.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
            killed.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
            try {
              await eventually(
                'all seeds but one are moved',
                () => {
                  if (killed.exitCode !== null) throw new Error(said);
                  return /^wallet_seeds\S+ {2}\d+ rewrapped, 1 left$/m.test(said);
                },
                PATIENCE_MS,
              );
            } finally {
              killed.kill('SIGKILL');
              await ended;
            }
            await holder.query('ROLLBACK');
          });
          expect((await leftOver(test))['wallet_seeds.sealed_entropy']).toBe(1);
          expect((await opened(url, bothKeys)).refusals).toEqual([]);
          const { code, stdout } = await run(['node', ...command], settings);
          expect([code, stdout]).toEqual([0, expect.stringContaining('Every sealed record is under the current')]);
          expect(stdout).toMatch(/^wallet_seeds\S+ {2}1 rewrapped, 0 left$/m);
        } finally {
          isOver = true;
          await people;
        }
      });
      expect(statuses.length).toBeGreaterThan(0);
      expect(new Set(statuses)).toEqual(new Set([201]));
      await expectRotated(url);
    }, 240_000);

    it('are moved but for those that do not open, which the command names and leaves as they are', async () => {
      const url = await cloned();
      const damaged = `UPDATE wallet_seeds SET sealed_entropy = set_byte(sealed_entropy, length(sealed_entropy) - 1,
          get_byte(sealed_entropy, length(sealed_entropy) - 1) # 1)
        WHERE id = (SELECT id FROM wallet_seeds ORDER BY environment_id, id LIMIT 1) RETURNING id, sealed_entropy`;
      const [seed] = await withClient(url, async (client) => (await client.query<SeedRow>(damaged)).rows);
      const settings = { DATABASE_URL: url, MASTER_KEY: bothKeys, NODE_ENV: 'test' };

      const { code, stdout, stderr } = await run(['node', 'scripts/run.js', 'cli', 'keys', 'rewrap'], settings);

      expect([code, stderr]).toEqual([1, expect.stringContaining('1 sealed rows do not open')]);
      expect(stderr).not.toContain('start empty');
      const named = new RegExp(`^wallet_seeds\\S+ {2}does not open: \\S+ id=${seed!.id} .*not-authentic`, 'm');
      expect(stdout).toMatch(named);
      await withApp(url, bothKeys, async (test) => {
        expect(await leftOver(test)).toEqual({ ...nothing, 'wallet_seeds.sealed_entropy': 1 });
      });
      expect((await opened(url, nextKey)).opened).toBe(USERS - 1);
      const left = 'SELECT id, sealed_entropy FROM wallet_seeds WHERE id = $1';
      const told = "SELECT verdict FROM key_ledger WHERE keys_id = $1 AND operation = 'rewrap'";
      await withClient(url, async (client) => {
        expect((await client.query<SeedRow>(left, [seed!.id])).rows).toEqual([seed]);
        expect((await client.query(told, [seed!.id])).rows).toEqual([]);
      });
    });

    it('are moved although one that does not open is under a third key, listed before the old one', async () => {
      const url = await cloned();
      const [currentKeyId] = nextKey.split(':');
      const lost = `UPDATE wallet_seeds SET master_key_id = $1, sealed_entropy = '\\x00'
        WHERE id = (SELECT id FROM wallet_seeds ORDER BY environment_id, id LIMIT 1)`;
      await withClient(url, (client) => client.query(lost, [`${currentKeyId}0`]));

      await withApp(url, bothKeys, async (test) => {
        const results = await test.app.get(KeyRotation).rewrapAll({ batch: 5 });
        const seeds = results.find(({ name }) => name === 'wallet_seeds.sealed_entropy')!;
        expect(seeds).toMatchObject({ rewrapped: USERS - 1, remaining: 1, unopened: [expect.any(String)] });
      });
      expect((await opened(url, nextKey)).opened).toBe(USERS - 1);
    });

    it('are finished by a second run when the first is interrupted', async () => {
      const url = await cloned();
      const stopped = new Error('stopped after the first batch');
      await withApp(url, bothKeys, async (test) => {
        const first = test.app.get(KeyRotation).rewrapAll({
          batch: 5,
          onProgress: ({ name }) => {
            if (name.startsWith('wallet_seeds')) throw stopped;
          },
        });
        await expect(first).rejects.toBe(stopped);
        expect((await leftOver(test))['wallet_seeds.sealed_entropy']).toBe(USERS - 5);
      });
      expect(await opened(url, bothKeys)).toEqual({ opened: USERS, refusals: [] });
      expect(await opened(url, nextKey)).toEqual({ opened: 5, refusals: ['unknown-key'] });
      await withApp(url, bothKeys, (test) => test.app.get(KeyRotation).rewrapAll({ batch: 5 }));
      await expectRotated(url);
    });

    it('are moved once by two runs at the same time, while users are made', async () => {
      const url = await cloned();
      await withApp(url, bothKeys, (one) =>
        withApp(url, bothKeys, async (two) => {
          const before = await leftOver(one);
          const world = deployment.behind(one);
          const [first, second] = await Promise.all([
            one.app.get(KeyRotation).rewrapAll({ batch: 3 }),
            two.app.get(KeyRotation).rewrapAll({ batch: 3 }),
            ...Array.from({ length: 10 }, () => prepare(world, newEmail(), ALL)),
          ]);
          const moved = (results: RotationProgress[], name: string) =>
            results.find((progress) => progress.name === name)!.rewrapped;
          for (const [name, count] of Object.entries(before)) {
            expect([name, moved(first, name) + moved(second, name)]).toEqual([name, count]);
          }
        }),
      );
      await expectRotated(url);
    });

    it('are missed by an instance that has not got the new one: it says that calls may be repeated', async () => {
      const url = await cloned();
      await withApp(url, masterKey, async (behind) => {
        const world = deployment.behind(behind);
        const { jwt, userId } = await world.signIn(newEmail());
        const wanted = { embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }] };
        await world.anonymous.post(world.sdk('/users/embeddedWallets'), wanted, { token: jwt, expect: 201 });
        const { body } = await world.api.get<OneUser>(world.path(`/users/${userId}`), { expect: 200 });
        const signing = world.sdk(`/users/embeddedWallets/${body.user.wallets[0]!.id}/sign`);
        const message = { kind: 'message', message: 'Gatehouse' };
        const calls: (() => Promise<Answer<unknown>>)[] = [
          () => world.anonymous.post(signing, message, { token: jwt }),
          // The first user's seed has given all chains.
          () => prepare(world, deployment.emails[1]!, ALL),
          () => world.api.get(world.path(`/webhooks/${deployment.webhookId}?includeSecret=true`)),
          () => world.api.get(world.path('/test/account')),
          () => world.api.post(world.path('/test/account'), undefined, { headers: KEY }),
        ];
        await withApp(url, bothKeys, (test) => test.app.get(KeyRotation).rewrapAll());

        for (const call of calls) {
          expect(await call()).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
        }
      });
      await withApp(url, nextKey, (test) => deployment.expectUnharmed(test));
    });

    it('stay where they are when the old key is dropped too early: the service does not start without it', async () => {
      const url = await cloned();
      await expect(startTestApp({ databaseUrl: url, masterKey: nextKey })).rejects.toMatchObject({
        reason: 'unknown-key',
      });
      expect(await opened(url, masterKey)).toEqual({ opened: USERS, refusals: [] });
      await withApp(url, masterKey, (test) => deployment.expectUnharmed(test));
    });
  });
});
