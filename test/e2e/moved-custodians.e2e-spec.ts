import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ThresholdEcdsaCustodian, ThresholdEcdsaModule } from '../../examples/threshold-ecdsa/index.js';
import { CreateVendorKeys20270102000000 } from '../../examples/vendor-custodian/20270102000000-create-vendor-keys.js';
import { VendorCustodian, VendorCustodianModule } from '../../examples/vendor-custodian/index.js';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { SERVICE, type CustodyVersion } from '../../src/custody/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import {
  ArchiveReader,
  EnvironmentExport,
  EnvironmentImport,
  newOperatorKey,
  parseOperatorPublicKey,
  parseOperatorSecret,
} from '../../src/moving/index.js';
import { EnvironmentsPurge } from '../../src/organizations/environments/environments-purge.job.js';
import { EmbeddedWalletsService } from '../../src/wallets/index.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { EcdsaServiceStandIn } from '../support/ecdsa-service.js';
import { VendorStandIn } from '../support/key-vendor.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

describe('an environment that moves, whose keys a vendor holds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-moving-'));
  const vendor = new VendorStandIn();
  let service: EcdsaServiceStandIn;

  beforeAll(async () => {
    service = await EcdsaServiceStandIn.start();
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Both use the same account with the vendor. */
  const installation = (version: CustodyVersion): Promise<TestApp> =>
    startTestApp({
      ownDatabase: true,
      masterKey: generateMasterKey(),
      env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1' },
      extensions: [version === 'V3' ? VendorCustodianModule.with(vendor) : ThresholdEcdsaModule.with(service)],
      prepare: async (app) => {
        const runner = app.get(DataSource).createQueryRunner();
        await new CreateVendorKeys20270102000000().up(runner);
        await runner.release();
      },
    });
  const isThere = (version: CustodyVersion, keysId: string): boolean =>
    version === 'V3' ? vendor.keys.has(keysId) : service.has(keysId);
  const purge = async ({ app }: TestApp, environmentId: string): Promise<void> => {
    const sql = `UPDATE environments SET deleted_at = now() - interval '1 minute' WHERE id = $1`;
    await app.get(DataSource).query(sql, [environmentId]);
    await app.get(EnvironmentsPurge, { strict: false }).run();
  };

  /** One wallet, exported with its environment. */
  async function moving(version: CustodyVersion) {
    const here = await installation(version);
    const there = await installation(version);
    const { environmentId } = await World.create(here);
    const make = async ({ app }: TestApp) => {
      const wanted = { identifier: newEmail(), type: 'email' as const, chains: ['EVM' as const] };
      const { user } = await app
        .get(EmbeddedWalletsService)
        .create(environmentId, wanted, SERVICE, app.get(UnitOfWork), version);
      const sql = 'SELECT seed_id AS "keysId" FROM wallets WHERE user_id = $1';
      return { userId: user.id, ...(await rowsOf<{ keysId: string }>(here, sql, [user.id]))[0]! };
    };
    const made = await make(here);
    const operator = await newOperatorKey();
    const archive = join(folder, `${environmentId}.tar.gz`);
    await here.app
      .get(EnvironmentExport)
      .write(environmentId, archive, await parseOperatorPublicKey(operator.publicKey));
    const take = async (onMember?: () => void) => {
      const verified = await there.app.get(ArchiveReader).verify(archive);
      const id = mintEnvironmentId(verified.head.environmentId);
      await there.app.get(EnvironmentImport).run(verified, id, parseOperatorSecret(operator.secret), { onMember });
    };
    const custodianOf = ({ app }: TestApp) => app.get(version === 'V3' ? VendorCustodian : ThresholdEcdsaCustodian);
    const close = () => Promise.all([here.close(), there.close()]);
    return { here, there, environmentId, made, make, take, custodianOf, close };
  }

  it.each<CustodyVersion>(['V3', 'external'])(
    'of version %s keeps them after it was deleted where it comes from, except for those made later',
    async (version) => {
      const { here, there, environmentId, made, make, take, custodianOf, close } = await moving(version);
      try {
        await take();
        const later = await make(here);
        await purge(here, environmentId);
        expect([isThere(version, made.keysId), isThere(version, later.keysId)]).toEqual([true, false]);
        const keys = { environmentId, userId: made.userId, keysId: made.keysId };
        await expect(custodianOf(there).derive(keys, [{ chain: 'EVM', index: 0 }])).resolves.toHaveLength(1);
      } finally {
        await close();
      }
    },
  );

  it.each<CustodyVersion>(['V3', 'external'])(
    'of version %s keeps them when its import was given up, where it comes from',
    async (version) => {
      const { here, there, environmentId, made, take, custodianOf, close } = await moving(version);
      try {
        const failing = new Error('killed');
        const name = 'vendor_keys/000001.ndjson';
        const stop = (member?: string) => {
          if (member === name) throw failing;
        };
        await expect(take(stop)).rejects.toBe(failing);
        expect(await there.app.get(EnvironmentImport).discard(environmentId)).toBe(true);
        await purge(there, environmentId);
        expect(await rowsOf(there, 'SELECT id FROM environments WHERE id = $1', [environmentId])).toEqual([]);
        expect(isThere(version, made.keysId)).toBe(true);
        const keys = { environmentId, userId: made.userId, keysId: made.keysId };
        await expect(custodianOf(here).derive(keys, [{ chain: 'EVM', index: 0 }])).resolves.toHaveLength(1);
      } finally {
        await close();
      }
    },
  );
});
