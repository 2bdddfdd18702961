import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpRooms, OtherGeneration, type ShareSet } from '../../clients/custody/src/index.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { DeafProxy } from '../support/deaf-proxy.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { freePort } from '../support/ports.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { ServiceProcess } from '../support/service-process.js';
import { Device } from '../support/shared-wallet.js';
import { newEmail, World } from '../support/world.js';

const TEXT = 'I agree.';
const SWITCH = 'keyShareSets.replace';

describe('an instance that is killed while it makes shares anew', () => {
  const masterKey = generateMasterKey();
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-resharing-'));
  let database: TestDatabase;
  let proxy: DeafProxy;
  let service: ServiceProcess | undefined;
  let survivor: TestApp;
  let world: World;
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
  }, 120_000);
  afterAll(async () => {
    await survivor?.close();
    await service?.discard();
    proxy?.stop();
    await database?.drop();
  });

  /** Which of them signs with the service that is left; the device learns the generation from the room. */
  async function usable(device: Device, sets: readonly ShareSet[]): Promise<number[]> {
    const signed: number[] = [];
    for (const shares of sets) {
      const generation = shares.generation ?? 1;
      const done = await device.sign(shares, TEXT).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof OtherGeneration)) throw error;
          return false;
        },
      );
      if (done) signed.push(generation);
    }
    return signed;
  }

  /** Has the process make shares anew, and kills it as soon as the proxy says so. */
  async function killedAt(reached: () => Promise<void>): Promise<{ device: Device; sets: ShareSet[] }> {
    service ??= await start();
    const { jwt: token } = await world.signIn(newEmail());
    const device = new Device(world, token);
    const old = await device.create('TWO_OF_TWO');
    const sets = [old];
    const { environmentId } = world;
    const through = new Device(world, token, httpRooms({ baseUrl: url, environmentId, token }));
    const held = reached();
    const lost = through
      .renew(old, 'TWO_OF_THREE', (pending) => {
        sets.push(pending);
        return Promise.resolve();
      })
      .then(
        () => 'done',
        () => 'lost',
      );
    expect(await Promise.race([lost, held.then(() => 'held')])).toBe('held');
    expect(await service.end('SIGKILL')).toBeNull();
    expect(await lost).toBe('lost');
    service = undefined;
    proxy.recover();
    return { device, sets };
  }

  it.each([
    ['before the first message is taken', 'ceremonyRooms.take', 'ceremonyRooms.take'],
    ['before the new shares are pending', 'COMMIT', 'ceremonyRooms.updateState'],
    ['before the switch', SWITCH, SWITCH],
    ['after the switch, and before the room is done', 'ceremonyRooms.end', SWITCH],
    ['before other ceremonies end', 'ceremonyRooms.endOthers', SWITCH],
    ['before it commits', 'COMMIT', SWITCH],
  ])(
    '%s leaves the old set in use, and that alone',
    async (_, next, statement) => {
      const { device, sets } = await killedAt(() => proxy.holdBefore(next, statement));
      // PostgreSQL lets go of the shares once it has noticed that the connection is over.
      const [old] = sets as [ShareSet];
      const anew: ShareSet[] = [];
      expect(await eventually('somebody signs', () => usable(device, sets).catch(() => null))).toEqual([1]);
      await eventually('shares are made anew', async () => {
        const made = await device.renew(old, 'TWO_OF_THREE').catch(() => null);
        if (made) anew.push(made);
        return made;
      });
      expect(await usable(device, [old, anew.at(-1)!])).toEqual([2]);
    },
    180_000,
  );

  it('after it has committed leaves the new set in use, and that alone, though nobody heard of it', async () => {
    const { device, sets } = await killedAt(() => proxy.withholdCommitOf(SWITCH));
    expect(sets).toHaveLength(2);
    await eventually('the switch is there', async () => {
      const of = 'SELECT generation FROM key_share_sets k JOIN wallets w ON w.seed_id = k.id WHERE w.id = $1';
      return (await rowsOf<{ generation: number }>(survivor, of, [sets[0]!.walletId]))[0]!.generation === 2;
    });
    expect(await usable(device, sets)).toEqual([2]);
  }, 180_000);
});
