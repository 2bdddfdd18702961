import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeedShredder } from '../../src/custody/v1/seed-shredder.job.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World, newEmail } from '../support/world.js';

type Json = Record<string, unknown>;
interface WalletJson {
  id: string;
  chain: string;
  publicKey: string;
  properties: Json;
}
interface OneUser {
  user: Json & { id: string; wallets: WalletJson[]; verifiedCredentials: Json[] };
}
interface SeedRow {
  id: string;
  userId: string;
  days: number | null;
}

const ALL = ['EVM', 'SOL', 'SUI', 'BTC'];
const CALLERS = 50;

describe('wallets', () => {
  let test: TestApp;
  let world: World;
  const prepare = (body: Json) => world.api.post<OneUser>(world.path('/embeddedWallets'), body);
  const newUser = async () => (await prepare({ identifier: newEmail(), type: 'email', chains: ALL })).body.user;
  const remove = (path: string) => world.api.delete(world.path(path), { expect: 204 });
  const seedsOf = (userId: string) =>
    rowsOf<SeedRow>(
      test,
      `SELECT id, user_id AS "userId", round(extract(epoch FROM destroy_after - now()) / 86400)::int AS days
       FROM wallet_seeds WHERE environment_id = $1 AND user_id = $2 ORDER BY id`,
      [world.environmentId, userId],
    );

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  describe(`asked for ${CALLERS} times at once`, () => {
    it.each([1, 2, 3])('are made once, and every caller gets the same answer (round %d)', async () => {
      const identifier = newEmail();
      const request = { identifier, type: 'email', chains: ALL };
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => prepare(request)));

      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(CALLERS - 1).fill(200), 201]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      const { user } = answers[0]!.body;
      expect(user.wallets.map(({ chain }) => chain)).toEqual(ALL);
      expect(user['walletPublicKey']).toBe(user.wallets[0]!.publicKey);
      const users = await rowsOf(test, 'SELECT id FROM users WHERE environment_id = $1 AND email = $2', [
        world.environmentId,
        identifier,
      ]);
      expect(users).toEqual([{ id: user.id }]);
      expect(await seedsOf(user.id)).toHaveLength(1);
      const told = (await eventsOf(test, world.environmentId)).filter(
        ({ resourceId, data }) => resourceId === user.id || data['userId'] === user.id,
      );
      expect(told.map(({ name, resourceId }) => [name, resourceId])).toEqual([
        ['user.created', user.id],
        ...user.wallets.map(({ id }) => ['wallet.created', id]),
      ]);
    });

    it('with different chains each, make each wallet once', async () => {
      const identifier = newEmail();
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, (_, at) => prepare({ identifier, type: 'email', chain: ALL[at % 4] })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
      const { body } = await prepare({ identifier, type: 'email', chains: ALL });
      expect(body.user.wallets.map(({ chain }) => chain).sort()).toEqual(ALL.toSorted());
      expect(await seedsOf(body.user.id)).toHaveLength(1);
    });

    it('for one frame user, with the email and the fid, make one user', async () => {
      const request = { email: newEmail(), fid: 700_001, chains: ALL };
      const path = world.path('/embeddedWallets/frameapp');
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => world.api.post<OneUser>(path, request)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    });
  });

  describe('are read', () => {
    it('by user and one by one', async () => {
      const user = await newUser();
      const { body } = await world.api.get<{ count: number; wallets: WalletJson[] }>(
        world.path(`/users/${user.id}/wallets`),
        { expect: 200 },
      );
      expect(body).toEqual({ count: 4, wallets: user.wallets });
      for (const wallet of user.wallets) {
        const one = await world.api.get<WalletJson>(world.path(`/wallets/${wallet.id}`), { expect: 200 });
        expect(one.body).toEqual(wallet);
      }
      const { body: bare } = await world.api.post<OneUser>(world.path('/users'), {});
      expect((await world.api.get(world.path(`/users/${bare.user.id}/wallets`))).body).toEqual({
        count: 0,
        wallets: [],
      });
    });

    it('never from another environment', async () => {
      const user = await newUser();
      const other = await World.create(test);
      await other.api.get(other.path(`/users/${user.id}/wallets`), { expect: 404 });
      await other.api.get(other.path(`/wallets/${user.wallets[0]!.id}`), { expect: 404 });
      await other.api.delete(other.path(`/wallets/${user.wallets[0]!.id}`), { expect: 404 });
      await world.api.get(world.path(`/wallets/${randomUUID()}`), { expect: 404 });
      await world.api.get(world.path(`/wallets/${user.wallets[0]!.id}`), { expect: 200 });
    });
  });

  describe('are deleted', () => {
    it('one by one with their credential, told, and gone', async () => {
      const { id: userId, wallets } = await newUser();
      const [evm, ...others] = wallets;
      await remove(`/wallets/${evm!.id}`);
      await world.api.get(world.path(`/wallets/${evm!.id}`), { expect: 404 });
      await world.api.delete(world.path(`/wallets/${evm!.id}`), { expect: 404 });
      const { body } = await world.api.get<OneUser>(world.path(`/users/${userId}`));
      expect(body.user.wallets).toEqual(others);
      const shown = body.user.verifiedCredentials.map((credential) => credential['embedded_wallet_id']);
      expect(shown.filter(Boolean)).toEqual(others.map(({ id }) => id));
      const told = await eventsOf(test, world.environmentId, evm!.id);
      expect(told.map(({ name }) => name)).toEqual(['wallet.created', 'wallet.deleted']);
      expect(told[1]!.data).toEqual({ ...evm, userId });
    });

    it('with who did it in the trail, when a member does', async () => {
      const { wallets } = await newUser();
      const { id } = wallets[0]!;
      await world.owner.delete(world.path(`/wallets/${id}`), { expect: 204 });
      expect(await auditOf(test, world.ids.organizationId, { resourceId: id, action: 'wallet.deleted' })).toMatchObject(
        [
          {
            actor: { kind: 'member', id: world.ids.ownerUserId },
            resourceType: 'wallet',
            environmentId: world.environmentId,
          },
        ],
      );
    });

    it('and have the same address when they are made again', async () => {
      const identifier = newEmail();
      const first = (await prepare({ identifier, type: 'email', chains: ALL })).body.user;
      for (const { id } of first.wallets) await remove(`/wallets/${id}`);
      const again = await prepare({ identifier, type: 'email', chains: ALL });
      expect(again.status).toBe(201);
      const keys = ({ wallets }: OneUser['user']) => wallets.map(({ chain, publicKey }) => [chain, publicKey]);
      expect(keys(again.body.user)).toEqual(keys(first));
      expect(again.body.user.wallets[0]!.id).not.toBe(first.wallets[0]!.id);
    });
  });

  describe('of a deleted user', () => {
    it('leave a seed that is destroyed after thirty days, not before', async () => {
      // What other suites have left in the database is counted as well.
      await test.app.get(SeedShredder).run();
      const [due, later] = [await newUser(), await newUser()];
      await remove(`/users/${due.id}`);
      await remove(`/users/${later.id}`);
      expect(await seedsOf(due.id)).toMatchObject([{ days: 30 }]);
      const kept = await newUser();
      await rowsOf(test, "UPDATE wallet_seeds SET destroy_after = now() - interval '1 second' WHERE user_id = $1", [
        due.id,
      ]);

      expect(await test.app.get(SeedShredder).run()).toBe(1);

      expect(await seedsOf(due.id)).toEqual([]);
      expect(await seedsOf(later.id)).toMatchObject([{ days: 30 }]);
      expect(await seedsOf(kept.id)).toMatchObject([{ days: null }]);
      expect(await test.app.get(SeedShredder).run()).toBe(0);
    });

    it('do not come back for a new user under the same id', async () => {
      const first = await newUser();
      await remove(`/users/${first.id}`);
      await world.api.post(world.path('/users'), { id: first.id }, { expect: 201 });
      const { body } = await prepare({ identifier: first.id, type: 'id', chains: ALL });
      const before = first.wallets.map(({ publicKey }) => publicKey);
      for (const { publicKey } of body.user.wallets) expect(before).not.toContain(publicKey);
      expect(await seedsOf(first.id)).toMatchObject([{ days: 30 }, { days: null }]);
    });

    it('leave no seed in use, even when the wallet is made at the moment of the deletion', async () => {
      for (let round = 0; round < 15; round++) {
        const { body } = await world.api.post<OneUser>(world.path('/users'), {});
        const { id } = body.user;
        const made = prepare({ identifier: id, type: 'id', chains: ['EVM'] });
        const deleted = world.api.delete(world.path(`/users/${id}`));
        expect([201, 404, 409, 422]).toContain((await made).status);
        expect((await deleted).status).toBe(204);
        expect((await seedsOf(id)).filter(({ days }) => days === null)).toEqual([]);
      }
    });
  });
});
