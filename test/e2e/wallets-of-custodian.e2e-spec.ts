import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ThresholdEcdsaModule } from '../../examples/threshold-ecdsa/index.js';
import { CreateVendorKeys20270102000000 } from '../../examples/vendor-custodian/20270102000000-create-vendor-keys.js';
import { SERVICE, type CustodyVersion, type EmbeddedChain } from '../../src/custody/index.js';
import { Clock } from '../../src/common/clock.js';
import { UnitOfWork } from '../../src/database/index.js';
import { checkCustodians } from '../../src/doctor/checks/custodians.js';
import { Deployment } from '../../src/doctor/deployment.js';
import { EmbeddedWalletsService } from '../../src/wallets/index.js';
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
  });
  afterAll(async () => {
    await test.close();
    await service.close();
  });

  const path = (rest = ''): string => world.sdk(`/users/embeddedWallets${rest}`);
  const signedIn = async () => {
    const [key, email] = [newStamper(), newEmail()];
    const { jwt, userId } = await world.signIn(email, { sessionPublicKey: key.publicKey });
    return { key, email, jwt, userId };
  };
  type Holder = Pick<Awaited<ReturnType<typeof signedIn>>, 'key' | 'email' | 'jwt'>;
  /** No operation names the version external: a module does. */
  const make = async ({ email }: Holder, version: CustodyVersion, chains: EmbeddedChain[]): Promise<void> => {
    const wanted = { identifier: email, type: 'email', chains } as const;
    const wallets = test.app.get(EmbeddedWalletsService);
    await wallets.create(world.environmentId, wanted, SERVICE, test.app.get(UnitOfWork), version);
  };
  interface Made {
    id: string;
    version: string;
    keysId: string;
  }
  const walletsOf = (userId: string): Promise<Made[]> =>
    rowsOf<Made>(test, 'SELECT id, version, seed_id AS "keysId" FROM wallets WHERE user_id = $1 ORDER BY version', [
      userId,
    ]);
  const remove = async ({ key, jwt: token }: Pick<Holder, 'key' | 'jwt'>, walletId: string): Promise<void> => {
    const prepared = await world.anonymous.get(path(`/${walletId}/deleteRequest`), { token, expect: 200 });
    const keyvaultSignedRequest = key.stamp(prepared.body);
    await world.anonymous.delete(path(), { token, body: { keyvaultSignedRequest }, expect: 204 });
  };
  const endedKeysOf = async (userId: string): Promise<string[]> => {
    const sql = `SELECT keys_id AS "keysId" FROM key_ledger WHERE user_id = $1 AND operation = 'delete' ORDER BY sequence`;
    return (await rowsOf<{ keysId: string }>(test, sql, [userId])).map(({ keysId }) => keysId);
  };
  const holder = async () => {
    const person = await signedIn();
    await make(person, 'external', ['EVM']);
    const [wallet] = await walletsOf(person.userId);
    expect(wallet!.version).toBe('external');
    return { ...person, token: person.jwt, wallet: wallet! };
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
    expect(await endedKeysOf(userId)).toEqual([wallet.keysId]);
  });

  it.each([
    ['V1', 0],
    ['external', 1],
  ])(
    'who has keys of two versions loses those of %s with their last wallet, and no others',
    async (_version, place) => {
      const person = await signedIn();
      await make(person, 'V1', ['SOL']);
      await make(person, 'external', ['EVM', 'SOL']);
      const wallets = await walletsOf(person.userId);
      expect(wallets.map(({ version }) => version)).toEqual(['V1', 'external']);
      await remove(person, wallets[place]!.id);
      expect(await endedKeysOf(person.userId)).toEqual([wallets[place]!.keysId]);
      await remove(person, wallets[1 - place]!.id);
      expect(new Set(await endedKeysOf(person.userId))).toEqual(new Set(wallets.map(({ keysId }) => keysId)));
    },
  );

  it.each([
    ['isAway', 503, 'signer_unavailable'],
    ['isBusy', 503, 'signer_unavailable'],
    ['isHidden', 503, 'signer_unavailable'],
    ['isLying', 500, 'internal_error'],
  ] as const)(
    'signs nothing while its service %s, which the ledger knows: it may have used the key',
    async (...row) => {
      const [how, status, code] = row;
      const { token, wallet } = await holder();
      await rowsOf(test, 'UPDATE wallets SET claimed_at = now() WHERE id = $1', [wallet.id]);
      service[how] = true;
      const answer = await fetch(`${test.url}/api/v0${path(`/${wallet.id}/sign`)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'message', message: 'Gatehouse' }),
      });
      service[how] = false;
      expect([answer.status, ((await answer.json()) as Refusal).code]).toEqual([status, code]);
      const sql = `SELECT verdict FROM key_ledger WHERE keys_id = $1 AND operation = 'sign'`;
      expect(await rowsOf(test, sql, [wallet.keysId])).toEqual([{ verdict: code }]);
    },
  );

  it.each(['deletes them', 'is deleted', 'loses them to the team'])(
    'who %s after their custodian was taken away leaves a row of the ledger, by which the keys can be destroyed',
    async (way) => {
      const person = await signedIn();
      await make(person, 'V1', ['SOL']);
      await make(person, 'external', ['EVM', 'SOL']);
      const wallets = await walletsOf(person.userId);
      const left = wallets.find(({ version }) => version === 'external')!;
      const without = await startTestApp({ databaseUrl: test.databaseUrl, env: { ROLE: 'api' } });
      const elsewhere = await World.create(without);
      try {
        if (way === 'deletes them') {
          const token = person.jwt;
          const at = path(`/${left.id}/deleteRequest`);
          const prepared = await elsewhere.anonymous.get(at, { token, expect: 200 });
          const body = { keyvaultSignedRequest: person.key.stamp(prepared.body) };
          await elsewhere.anonymous.delete(path(), { token, body, expect: 204 });
        } else if (way === 'is deleted') {
          const { token } = world;
          await elsewhere.anonymous.delete(`/users/${person.userId}`, { token, expect: 204 });
        } else {
          const { token } = world;
          for (const { id } of wallets) await elsewhere.anonymous.delete(`/wallets/${id}`, { token, expect: 204 });
        }
      } finally {
        await without.close();
      }
      const sql = `SELECT verdict, subject->>'version' AS version FROM key_ledger
        WHERE user_id = $1 AND operation = 'delete' AND keys_id = $2`;
      expect(await rowsOf(test, sql, [person.userId, left.keysId])).toEqual([
        { verdict: 'no_compatible_wallet_service_enabled', version: 'external' },
      ]);
    },
  );

  it('has no seed, to which accounts could be added', async () => {
    const { token } = await holder();
    const at = path('/walletAccounts/createRequest?chain=EVM');
    const { status, body } = await world.anonymous.get<Refusal>(at, { token });
    expect([status, body.code]).toEqual([422, 'no_hd_wallet_found']);
  });

  // The last: strategies of an application that was started beside another are those of both.
  it.each(['is found', 'is found, hidden as it may be,'])(
    '%s by the doctor when the custodian was taken away',
    async (how) => {
      const deployment = new Deployment(test.config, new Clock());
      try {
        await deployment.database();
        const { wallet } = await holder();
        await rowsOf(test, "DELETE FROM wallets WHERE version = 'external' AND id <> $1", [wallet.id]);
        if (how.includes('hidden'))
          await rowsOf(test, 'UPDATE wallets SET deleted_at = now() WHERE id = $1', [wallet.id]);
        const finding = await checkCustodians(await deployment.heldVersions(), () => deployment.installedVersions());
        expect(finding).toMatchObject({
          state: 'warn',
          meaning: expect.stringContaining('version external have none'),
        });
      } finally {
        await deployment.close();
      }
    },
  );
});
