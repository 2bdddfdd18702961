import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateMasterKey } from '../../src/vault/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { DeafProxy } from '../support/deaf-proxy.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { freePort } from '../support/ports.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { ServiceProcess } from '../support/service-process.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

/** With this statement the transaction of a merge holds both users. */
const HOLDS_BOTH = 'userMerges.lockUsers';

describe('an instance that is killed in the middle of a merge', () => {
  const masterKey = generateMasterKey();
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-merging-'));
  let database: TestDatabase;
  let proxy: DeafProxy;
  let service: ServiceProcess | undefined;
  let survivor: TestApp;
  let world: World;
  let accounts: Accounts;

  /** Both name the same issuer in their tokens. */
  let url: string;

  async function start(): Promise<ServiceProcess> {
    const settings = { PORT: new URL(url).port, PUBLIC_URL: url, MASTER_KEY: masterKey, DATA_DIR: dataDir };
    const started = ServiceProcess.spawn({ ...settings, DATABASE_URL: proxy.databaseUrl });
    await started.until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true);
    return started;
  }

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await DeafProxy.start(database.url);
    url = `http://localhost:${await freePort()}`;
    service = await start();
    survivor = await startTestApp({ databaseUrl: database.url, masterKey, env: { ROLE: 'api', PUBLIC_URL: url } });
    world = await World.create(survivor);
    accounts = new Accounts(world);
  }, 120_000);
  afterAll(async () => {
    await survivor?.close();
    await service?.discard();
    proxy?.stop();
    await database?.drop();
  });

  async function offered(): Promise<{ ada: SignedIn; eve: SignedIn }> {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const answer = await accounts.verifyEmail(ada.jwt, eve.email);
    expect(codeOf(answer)).toBe('merge_accounts_confirmation');
    return { ada, eve };
  }

  /** Everything that a merge changes of the two. */
  async function stateOf({ ada, eve }: { ada: SignedIn; eve: SignedIn }): Promise<object> {
    const users = await Promise.all(
      [ada, eve].map(async ({ userId }) => (await world.api.get<object>(world.path(`/users/${userId}`))).body),
    );
    const ids = [ada.userId, eve.userId];
    const told = await Promise.all(ids.map((id) => eventsOf(survivor, world.environmentId, id)));
    const live = await Promise.all([ada, eve].map(({ jwt }) => accounts.isLive(jwt)));
    const kept = await rowsOf(survivor, 'SELECT * FROM user_merges WHERE user_id = ANY ($1)', [ids]);
    const pending = await rowsOf(survivor, 'SELECT * FROM pending_merges WHERE user_id = ANY ($1)', [ids]);
    return { users, told: told.map((events) => events.map(({ name }) => name)), live, kept, pending };
  }

  /** Has the process merge them, and kills it as soon as the proxy says so. */
  async function killedAt(reached: Promise<void>, { jwt }: SignedIn): Promise<void> {
    service ??= await start();
    const lost = new TestClient(url, jwt).post(world.sdk('/users/merge')).then(
      ({ status }) => `answered ${status}`,
      () => 'lost',
    );
    expect(await Promise.race([lost, reached.then(() => 'held')])).toBe('held');
    expect(await service.end('SIGKILL')).toBeNull();
    expect(await lost).toBe('lost');
    service = undefined;
    proxy.recover();
  }

  it.each([
    ['before the offer is taken', 'pendingMerges.take'],
    ['before it is written down what moved', 'userMerges.add'],
    ['before credentials move', 'userMerges.takeCredentials'],
    ['before it commits', 'COMMIT'],
  ])(
    '%s leaves both as they were, and the merge is done when it is asked for again',
    async (_, statement) => {
      service ??= await start();
      const two = await offered();
      const before = await stateOf(two);
      await killedAt(proxy.holdBefore(statement, HOLDS_BOTH), two.ada);
      expect(await stateOf(two)).toEqual(before);
      // PostgreSQL lets go of both users once it has noticed that the connection is over.
      await eventually('the merge is done', async () => {
        const { status } = await accounts.post('/users/merge', two.ada.jwt);
        return status === 200;
      });
      expect((await world.signIn(two.eve.email)).userId).toBe(two.ada.userId);
    },
    180_000,
  );

  it('after it committed has merged them, though nobody heard of it', async () => {
    service ??= await start();
    const two = await offered();
    await killedAt(proxy.withholdCommitOf(HOLDS_BOTH), two.ada);
    await eventually(
      'they are merged',
      async () => (await world.api.get(world.path(`/users/${two.eve.userId}`))).status === 404,
    );
    expect(await Promise.all([two.ada, two.eve].map(({ jwt }) => accounts.isLive(jwt)))).toEqual([false, false]);
    for (const { email } of [two.ada, two.eve]) expect((await world.signIn(email)).userId).toBe(two.ada.userId);
    const names = (await eventsOf(survivor, world.environmentId, two.ada.userId)).map(({ name }) => name);
    expect(names.filter((name) => name === 'user.merged')).toHaveLength(1);
  }, 180_000);
});
