import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { ThresholdEcdsaCustodian, ThresholdEcdsaModule } from '../../examples/threshold-ecdsa/index.js';
import { CreateVendorKeys20270102000000 } from '../../examples/vendor-custodian/20270102000000-create-vendor-keys.js';
import {
  VendorCustodian,
  VendorCustodianModule,
  VendorKeysRepository,
  VendorKeysShredder,
} from '../../examples/vendor-custodian/index.js';
import { AppModule } from '../../src/app.module.js';
import { mintEnvironmentId, TOKEN_SCOPES } from '../../src/auth/index.js';
import { ProjectingAdapter } from '../../src/common/http/projecting.adapter.js';
import { receiveRequests } from '../../src/common/http/receive-requests.js';
import { newId } from '../../src/common/ids.js';
import { Config } from '../../src/config/index.js';
import {
  CustodianRegistry,
  SERVICE,
  ThresholdEcdsa,
  type AccountPlace,
  type Custodian,
  type EcdsaSignature,
  type KeyOwner,
} from '../../src/custody/index.js';
import { ServerHeldKeys } from '../../src/custody/v1/server-held-keys.js';
import {
  EnvironmentRows,
  scopedStatement,
  UnitOfWork,
  type EnvironmentId,
  type Transaction,
} from '../../src/database/index.js';
import { EnvironmentSettingsReader } from '../../src/environments/index.js';
import { UserCreation } from '../../src/identity/index.js';
import { ApiTokensService } from '../../src/organizations/index.js';
import { provision, type Provisioned } from '../../src/provisioning/index.js';
import { Jobs } from '../../src/queue/index.js';
import { parseKeyRing } from '../../src/vault/index.js';
import { EmbeddedWalletsService } from '../../src/wallets/index.js';
import { EcdsaServiceStandIn } from '../support/ecdsa-service.js';
import { VendorStandIn } from '../support/key-vendor.js';
import { custodianContract, storedKeys, type CustodianUnderTest } from '../support/ports/custodian-contract.js';
import { thresholdEcdsaContract } from '../support/ports/threshold-ecdsa-contract.js';
import { eventually } from '../support/receiver.js';
import { differenceWith } from '../support/example-tables.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';

describe('custodians', () => {
  const vendor = new VendorStandIn();
  let service: EcdsaServiceStandIn;
  let database: TestDatabase;
  let app: NestExpressApplication;
  let ids: Provisioned;
  let token: string;
  let url: string;

  beforeAll(async () => {
    database = await createDatabase();
    service = await EcdsaServiceStandIn.start();
    const masterKey = process.env['GATEHOUSE_TEST_MASTER_KEY'] ?? '';
    const config = Config.load({
      NODE_ENV: 'test',
      // Transactions are counted: none of a job is among them.
      ROLE: 'api',
      LOG_LEVEL: 'error',
      DATABASE_URL: database.url,
      DATABASE_POOL: '20',
      MASTER_KEY: masterKey,
      EGRESS_ALLOW: '127.0.0.1',
    });

    @Module({
      imports: [
        AppModule.forRoot({ config, vault: parseKeyRing(masterKey) }),
        VendorCustodianModule.with(vendor),
        ThresholdEcdsaModule.with(service),
      ],
    })
    class Extended {}

    app = await NestFactory.create<NestExpressApplication>(Extended, new ProjectingAdapter(), {
      bodyParser: false,
      logger: ['error'],
    });
    app.use(receiveRequests());
    const runner = app.get(DataSource).createQueryRunner();
    await new CreateVendorKeys20270102000000().up(runner);
    await runner.release();
    await app.listen(0, '127.0.0.1');
    url = `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/api/v0`;
    ids = await provision(app, { organization: newId(), project: 'Keys', ownerEmail: `${newId()}@example.com` });
    const asked = { note: 'test', scopes: TOKEN_SCOPES.values, createdBy: ids.ownerUserId };
    token = (await app.get(ApiTokensService).mint(ids.environments.sandbox, asked)).rawToken;
  });

  afterAll(async () => {
    await app.close();
    await service.close();
    await database.drop();
  });

  /** Owners take turns between two environments. */
  let turn = 0;
  const newOwner = async (): Promise<KeyOwner> => {
    const environmentId = mintEnvironmentId(turn++ % 2 ? ids.environments.live : ids.environments.sandbox);
    const { id: userId } = await app
      .get(UserCreation)
      .create(environmentId, {}, { kind: 'service' }, app.get(UnitOfWork));
    return { environmentId, userId };
  };
  const transact = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => app.get(UnitOfWork).run(work);
  const under = (custodian: Custodian): CustodianUnderTest => ({ custodian, newOwner, transact });

  describe('V1, held by the service', () => {
    it.each(custodianContract(['create', 'derive', 'sign', 'export', 'import']))('$sentence', async ({ verify }) => {
      const custodian = app.get(ServerHeldKeys);
      expect(Object.keys(custodian.can)).toEqual(['create', 'retire', 'derive', 'sign', 'export', 'import', 'deal']);
      await expect(verify(under(custodian))).resolves.toBeUndefined();
    });
  });

  describe('of a vendor, in the example', () => {
    it.each(custodianContract(['create', 'derive']))('$sentence', async ({ verify }) => {
      const custodian = app.get(VendorCustodian);
      expect(Object.keys(custodian.can)).toEqual(['create', 'retire', 'derive']);
      await expect(verify(under(custodian))).resolves.toBeUndefined();
    });

    it('have a table that is as its entity says', async () => {
      expect(await differenceWith(app.get(DataSource), 'vendor_keys')).toEqual([]);
    });

    it('make the wallets of an environment whose settings name their version', async () => {
      const { sandbox } = ids.environments;
      const prepare = (email: string, chains: string[]) =>
        fetch(`${url}/environments/${sandbox}/embeddedWallets`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ identifier: email, type: 'email', chains }),
        }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as PreparedBody }));
      const useVersion = async (name: string) => {
        await app.get(DataSource).query(
          `UPDATE environment_settings SET settings = jsonb_set(settings, '{sdk,embeddedWallets,defaultWalletVersion}', $2)
           WHERE environment_id = $1`,
          [sandbox, JSON.stringify(name)],
        );
        app.get(EnvironmentSettingsReader).forget(mintEnvironmentId(sandbox));
      };
      const email = `${newId()}@example.com`;
      const before = await prepare(email, ['EVM']);
      expect(before.body.user?.wallets[0]?.properties).toMatchObject({ version: 'V1' });

      await useVersion('V3');
      const made = await prepare(`${newId()}@example.com`, ['EVM']);
      expect(vendor.keys.has(made.body.user!.wallets[0]!.properties.keyvaultHDWalletId)).toBe(true);
      const both = await prepare(email, ['EVM', 'SOL']);
      expect(both.body.user?.wallets.map(({ properties }) => properties.version)).toEqual(['V1', 'V3']);

      await useVersion('V2');
      const { status, body } = await prepare(`${newId()}@example.com`, ['EVM']);
      expect([status, body.code]).toEqual([422, 'not_supported_by_custodian']);
    });
  });

  describe('external, of a service of threshold ECDSA, in the example', () => {
    const held = (): CustodianUnderTest => ({ ...under(app.get(ThresholdEcdsaCustodian)), chains: ['EVM'] });

    it.each(thresholdEcdsaContract())('$sentence', async ({ verify }) => {
      await expect(verify(app.get(ThresholdEcdsa))).resolves.toBeUndefined();
    });

    it.each(custodianContract(['create', 'derive', 'sign']))('$sentence', async ({ verify }) => {
      expect(Object.keys(app.get(ThresholdEcdsaCustodian).can)).toEqual(['create', 'retire', 'derive', 'sign']);
      await expect(verify(held())).resolves.toBeUndefined();
    });

    it('is the custodian of its version, refuses what it cannot, and asks for digests of what it has read alone', async () => {
      const { owner, keys } = await storedKeys(held());
      const account = { ...owner, keysId: keys.keysId, ...keys.accounts[0]! };
      const registry = app.get(CustodianRegistry);
      expect(() => registry.get('external', 'export')).toThrow(
        expect.objectContaining({ code: 'not_supported_by_custodian' }),
      );
      const sign = registry.get('external', 'sign');
      const before = service.digests.length;
      await expect(sign.sign(account, { kind: 'evmTransaction', transaction: '0x1234' })).rejects.toMatchObject({
        code: 'unsignable_request',
      });
      await expect(registry.get('external', 'create').prepare(owner, ['SOL'])).rejects.toMatchObject({
        code: 'not_supported_by_custodian',
      });
      expect(service.digests).toHaveLength(before);
    });

    it('answers no signature that the service made of something else, and none when the service is gone', async () => {
      const { owner, keys } = await storedKeys(held());
      const account = { ...owner, keysId: keys.keysId, ...keys.accounts[0]! };
      const request = { kind: 'message', message: Buffer.from('Gatehouse') } as const;
      service.isLying = true;
      const lied = app.get(ThresholdEcdsaCustodian).sign(account, request);
      await expect(lied.finally(() => (service.isLying = false))).rejects.toThrow('a wrong signature');
      await app.get(ThresholdEcdsa).destroyKey(keys.keysId);
      await expect(app.get(ThresholdEcdsaCustodian).sign(account, request)).rejects.toThrow('answers 404');
    });

    it('that loses a race leaves no key behind at the service', async () => {
      const owner = await newOwner();
      const drafts = await Promise.all([1, 2].map(() => app.get(ThresholdEcdsaCustodian).prepare(owner, ['EVM'])));
      expect(await transact((tx) => drafts[0]!.store(tx))).toBe(true);
      expect(await transact((tx) => drafts[1]!.store(tx))).toBe(false);
      drafts[1]!.discard();
      await eventually('the other key to go', () => (service.has(drafts[1]!.keysId) ? null : true));
      expect(service.has(drafts[0]!.keysId)).toBe(true);
    });
  });

  it.each(['V1', 'V2'] as const)('of version %s are the service’s own, and no other is taken', (version) => {
    const register = () => app.get(CustodianRegistry).register({ version, can: {} });
    expect(register).toThrow(`two custodians of version ${version}`);
  });

  it('whose vendor fails between the keys and their addresses leave no keys behind there', async () => {
    const silent = new Error('The vendor does not answer.');
    const ofVendor = jest.spyOn(vendor, 'accounts').mockRejectedValueOnce(silent);
    const ofService = jest.spyOn(app.get(ThresholdEcdsa), 'publicKey').mockRejectedValueOnce(silent);
    const [before, made] = [vendor.keys.size, jest.spyOn(app.get(ThresholdEcdsa), 'createKey')];
    for (const custodian of [app.get(VendorCustodian), app.get(ThresholdEcdsaCustodian)])
      await expect(custodian.prepare(await newOwner(), ['EVM'])).rejects.toBe(silent);
    expect(vendor.keys.size).toBe(before);
    const [name] = made.mock.calls[0]!;
    await eventually('the service drops the key', () => !service.has(name));
    for (const spy of [ofVendor, ofService, made]) spy.mockRestore();
  });

  it('that lose a race leave no keys behind at the vendor', async () => {
    const owner = await newOwner();
    const before = vendor.dropped.length;
    const drafts = await Promise.all([1, 2].map(() => app.get(VendorCustodian).prepare(owner, ['EVM'])));
    expect(await transact((tx) => drafts[0]!.store(tx))).toBe(true);
    expect(await transact((tx) => drafts[1]!.store(tx))).toBe(false);
    drafts[1]!.discard();
    expect(vendor.dropped.slice(before)).toEqual([drafts[1]!.keysId]);
  });

  it('whose process is killed before it stores the keys have them destroyed, and those no longer become anybody’s', async () => {
    const [custodian, keys] = [app.get(VendorCustodian), app.get(VendorKeysRepository)];
    const { owner, keys: stored } = await storedKeys(under(custodian));
    const lost = await custodian.prepare(await newOwner(), ['EVM']);
    const shredded = { version: 'V3', destroy: (name: string) => vendor.destroy(name) } as const;
    const shredder = new VendorKeysShredder(shredded, keys, app.get(Jobs), app.get(EnvironmentRows));
    await shredder.run();
    expect(vendor.keys.has(lost.keysId)).toBe(true);
    const anHourLater = async () => {
      const sql = `UPDATE vendor_keys SET destroy_after = now() WHERE id = ANY ($1) AND destroy_after IS NOT NULL`;
      await app.get(DataSource).query(sql, [[lost.keysId, stored.keysId]]);
    };
    await anHourLater();
    vendor.isAway = true;
    await expect(shredder.run().finally(() => (vendor.isAway = false))).rejects.toThrow('does not answer');
    expect(await transact((tx) => lost.store(tx))).toBe(false);
    await anHourLater();
    await shredder.run();
    expect([vendor.keys.has(lost.keysId), vendor.keys.has(stored.keysId)]).toEqual([false, true]);
    expect((await custodian.prepare(owner, ['EVM'])).keysId).toBe(stored.keysId);
  });

  it('of two vendors know their own keys alone, though a user has some of both', async () => {
    const owner = await newOwner();
    const [ofVendor, ofService] = [app.get(VendorCustodian), app.get(ThresholdEcdsaCustodian)];
    const made = await ofVendor.prepare(owner, ['EVM']);
    await transact((tx) => made.store(tx));
    const other = await ofService.prepare(owner, ['EVM']);
    expect([other.isNew, await transact((tx) => other.store(tx))]).toEqual([true, true]);
    expect(await transact((tx) => ofService.retire(owner, 30, tx))).toEqual([other.keysId]);
    expect((await ofVendor.prepare(owner, ['EVM'])).keysId).toBe(made.keysId);
  });

  it('of a vendor have it destroy what is due, and what goes with its environment, as soon as it answers', async () => {
    const custodian = app.get(VendorCustodian);
    const [due, kept] = [await storedKeys(under(custodian)), await storedKeys(under(custodian))];
    await transact((tx) => custodian.retire(due.owner, 0, tx));
    const keys = app.get(VendorKeysRepository);
    const shredded = { version: 'V3', destroy: (name: string) => vendor.destroy(name) } as const;
    const rows = app.get(EnvironmentRows);
    const shredder = new VendorKeysShredder(shredded, keys, app.get(Jobs), rows);
    const rowOf = ({ owner, keys: { keysId } }: typeof due) => keys.find(owner.environmentId, { id: keysId });

    vendor.isAway = true;
    await expect(shredder.run()).rejects.toThrow('does not answer');
    const [table] = (await rows.tables()).filter((one) => one.table === 'vendor_keys');
    const removing = rows.remove(table!, kept.owner.environmentId, 500);
    await expect(removing.finally(() => (vendor.isAway = false))).rejects.toThrow('does not answer');
    expect([await rowOf(due), await rowOf(kept)]).not.toContain(null);

    const sql = 'UPDATE vendor_keys SET destroy_after = now() WHERE id = $1';
    await app.get(DataSource).query(sql, [due.keys.keysId]);
    await shredder.run();
    expect([vendor.keys.has(due.keys.keysId), await rowOf(due)]).toEqual([false, null]);
    expect([vendor.keys.has(kept.keys.keysId), await rowOf(kept)]).not.toContain(null);
    await rows.remove(table!, kept.owner.environmentId, 500);
    expect([vendor.keys.has(kept.keys.keysId), await rowOf(kept)]).toEqual([false, null]);
  });

  it('of a vendor that hangs do not hang with it: the keys stay due', async () => {
    const custodian = app.get(VendorCustodian);
    const due = await storedKeys(under(custodian));
    await transact((tx) => custodian.retire(due.owner, 0, tx));
    const keys = app.get(VendorKeysRepository);
    const asked = Promise.withResolvers<void>();
    const destroy = (): Promise<void> => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const shredder = new VendorKeysShredder({ version: 'V3', destroy }, keys, app.get(Jobs), app.get(EnvironmentRows));
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const run = shredder.run();
      await asked.promise;
      jest.advanceTimersByTime(15_000);
      await expect(run).rejects.toThrow('did not destroy a key within 15 seconds');
    } finally {
      jest.useRealTimers();
    }
    expect(await keys.find(due.owner.environmentId, { id: due.keys.keysId })).not.toBeNull();
  }, 20_000);

  it('work before the transaction begins, never inside it', async () => {
    const open: number[] = [];
    const keys = app.get(ServerHeldKeys);
    const prepare = keys.prepare.bind(keys);
    const watched = jest.spyOn(keys, 'prepare').mockImplementation(async (owner, chains) => {
      const [row] = await app.get(DataSource).query<{ open: number }[]>(
        `SELECT count(*)::int AS open FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
           AND backend_type = 'client backend'`,
      );
      open.push(row!.open);
      return prepare(owner, chains);
    });
    const { userId } = await newOwner();
    const wallets = app.get(EmbeddedWalletsService);
    const environmentId = mintEnvironmentId(ids.environments.live);
    const request = { identifier: `${userId}@example.com`, type: 'email', chains: ['EVM'] } as const;
    const work = app.get(UnitOfWork);
    await wallets.create(environmentId, { ...request, chains: [...request.chains] }, SERVICE, work);
    // Inside a transaction the same look finds it.
    await transact(async (tx) => {
      await tx.rows(scopedStatement('test.hold', 'SELECT id FROM users WHERE environment_id = $1 LIMIT 1'), [
        environmentId,
      ]);
      await keys.prepare({ environmentId, userId }, ['EVM']);
    });
    watched.mockRestore();
    expect(open).toEqual([0, 1]);
  });

  describe('the contract', () => {
    it('is broken by a custodian that keeps no promise, in all it can break', async () => {
      const broken: string[] = [];
      for (const { sentence, verify } of custodianContract(['create', 'derive'])) {
        await verify(under(new CarelessCustodian())).catch(() => broken.push(sentence));
      }
      expect(broken).toEqual(custodianContract(['create', 'derive']).map(({ sentence }) => sentence));
    });

    it('of threshold ECDSA is broken by a service that keeps no promise, in all it can break', async () => {
      const broken: string[] = [];
      for (const { sentence, verify } of thresholdEcdsaContract()) {
        await verify(new CarelessService()).catch(() => broken.push(sentence));
      }
      expect(broken).toEqual(thresholdEcdsaContract().map(({ sentence }) => sentence));
    });
  });
});

interface PreparedBody {
  code?: string;
  user?: { wallets: { properties: { version: string; keyvaultHDWalletId: string } }[] };
}

/** Tells another key at every second call, has one signature for everything, and destroys nothing. */
class CarelessService extends ThresholdEcdsa {
  private calls = 0;

  override async createKey(): Promise<void> {}

  override async publicKey(): Promise<Buffer> {
    const secret = createHash('sha256')
      .update(`${this.calls++ % 2}`)
      .digest();
    return Buffer.from(secp256k1.getPublicKey(Uint8Array.from(secret)));
  }

  override async sign(): Promise<EcdsaSignature> {
    return { signature: Buffer.alloc(64, 1), recoveryId: 0 };
  }

  override async destroyKey(): Promise<void> {}
}

/** Makes new keys for every call, all with one address, shows their secrets and stores what was rolled back. */
class CarelessCustodian implements Custodian {
  readonly version = 'V1';
  private calls = 0;
  private readonly kept = new Set<EnvironmentId>();
  readonly can = {
    create: {
      prepare: async ({ environmentId }: KeyOwner) => {
        const accounts = [{ chain: 'EVM', index: 0, address: '0x0', publicKey: '00', path: 'm' } as const];
        const keysId = this.kept.has(environmentId) ? 'shared' : `${this.calls++}`;
        return {
          keysId,
          isNew: true,
          accounts,
          privateKey: 'ff',
          store: async () => {
            const isFirst = !this.kept.has(environmentId);
            this.kept.add(environmentId);
            return isFirst;
          },
          discard: () => undefined,
        };
      },
    },
    retire: { retire: async () => [] },
    derive: {
      derive: async (_keys: KeyOwner, places: readonly AccountPlace[]) =>
        places.map((place) => ({ ...place, address: '0x0', publicKey: '00', path: 'm' })),
    },
  };
}
