import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ThresholdEcdsaModule } from '../../examples/threshold-ecdsa/index.js';
import { CreateVendorKeys20270102000000 } from '../../examples/vendor-custodian/index.js';
import { EnvironmentSettingsReader } from '../../src/environments/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { EcdsaServiceStandIn } from '../support/ecdsa-service.js';
import { rowsOf } from '../support/rows.js';
import { newStamper } from '../support/stamper.js';
import { newEmail, World } from '../support/world.js';

describe('a user whose only wallets are of version external', () => {
  let service: EcdsaServiceStandIn;
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    service = await EcdsaServiceStandIn.start();
    test = await startTestApp({
      ownDatabase: true,
      env: { EGRESS_ALLOW: '127.0.0.1' },
      extensions: [ThresholdEcdsaModule.with(service)],
      prepare: async (app) => {
        const runner = app.get(DataSource).createQueryRunner();
        await new CreateVendorKeys20270102000000().up(runner);
        await runner.release();
      },
    });
    world = await World.create(test);
    // No operation names this version.
    await rowsOf(
      test,
      `UPDATE environment_settings
       SET settings = jsonb_set(settings, '{sdk,embeddedWallets,defaultWalletVersion}', '"external"')
       WHERE environment_id = $1`,
      [world.environmentId],
    );
    test.app.get(EnvironmentSettingsReader).forget(world.environmentId);
  });
  afterAll(async () => {
    await test.close();
    await service.close();
  });

  const path = (rest = ''): string => world.sdk(`/users/embeddedWallets${rest}`);
  const holder = async () => {
    const key = newStamper();
    const { jwt: token, userId } = await world.signIn(newEmail(), { sessionPublicKey: key.publicKey });
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    await world.anonymous.post(path(), { embeddedWallets }, { token, expect: 201 });
    const [wallet] = await rowsOf<{ id: string; version: string; keysId: string }>(
      test,
      'SELECT id, version, seed_id AS "keysId" FROM wallets WHERE user_id = $1',
      [userId],
    );
    expect(wallet!.version).toBe('external');
    return { key, token, userId, wallet: wallet! };
  };

  it('deletes them by a signed request, which takes their keys out of use', async () => {
    const { key, token, userId, wallet } = await holder();
    const prepared = await world.anonymous.get(path(`/${wallet.id}/deleteRequest`), { token, expect: 200 });
    expect(prepared.body).toMatchObject({ organizationId: userId, parameters: { walletIds: [wallet.id] } });
    const keyvaultSignedRequest = key.stamp(prepared.body);
    await world.anonymous.delete(path(), { token, body: { keyvaultSignedRequest }, expect: 204 });
    expect(await rowsOf(test, 'SELECT id FROM wallets WHERE user_id = $1', [userId])).toEqual([]);
    const ended = await rowsOf<{ id: string }>(
      test,
      'SELECT id FROM vendor_keys WHERE user_id = $1 AND destroy_after IS NOT NULL',
      [userId],
    );
    expect(ended).toEqual([{ id: wallet.keysId }]);
    const told = await rowsOf(
      test,
      `SELECT keys_id AS "keysId" FROM key_ledger WHERE user_id = $1 AND operation = 'delete'`,
      [userId],
    );
    expect(told).toEqual([{ keysId: wallet.keysId }]);
  });

  it('has no seed, to which accounts could be added', async () => {
    const { token } = await holder();
    const at = path('/walletAccounts/createRequest?chain=EVM');
    const { status, body } = await world.anonymous.get<Refusal>(at, { token });
    expect([status, body.code]).toEqual([422, 'no_hd_wallet_found']);
  });
});
