import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  httpRooms,
  openBackup,
  OtherGeneration,
  type ShareSet,
  type StoredBackup,
} from '../../clients/custody/src/index.js';
import type { DeafProxy } from '../support/deaf-proxy.js';
import { KilledInstance } from '../support/killed-instance.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { Device, type Scheme } from '../support/shared-wallet.js';
import { newEmail, World } from '../support/world.js';

const TEXT = 'I agree.';

/** Which shares are made anew, and by which scheme: a refresh where none is named. */
interface Begun {
  readonly make: (token: string, device: Device) => Promise<ShareSet>;
  readonly scheme?: Scheme;
}

/** Somebody whose ceremony was cut off, with the shares that the device has stored. */
interface CutOff {
  readonly device: Device;
  readonly sets: readonly ShareSet[];
  readonly token: string;
}

const SWITCH = 'keyShareSets.replace';
/** Ceremonies that are cut off at each point. `GATEHOUSE_TEST_CUTS=50` takes ten minutes. */
const CUTS = Number(process.env['GATEHOUSE_TEST_CUTS'] ?? 2);
/** Of them by one kill: each holds a connection of the instance. */
const AT_ONCE = 25;
/** How many by each kill. */
const KILLS = Array.from({ length: Math.ceil(CUTS / AT_ONCE) }, (_, at) => Math.min(AT_ONCE, CUTS - at * AT_ONCE));
const PATIENCE_MS = 240_000 * KILLS.length;

describe('an instance that is killed while it makes shares anew', () => {
  let instance: KilledInstance;
  let world: World;

  beforeAll(async () => {
    instance = await KilledInstance.start('resharing');
    world = await World.create(instance.survivor);
  }, 240_000);
  afterAll(() => instance?.discard());

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

  /** The old shares sign and those that were pending do not; made anew, it is the other way. */
  async function expectOldSetAlone({ device, sets }: CutOff): Promise<void> {
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
  }

  /** Has the process make shares anew of so many keys at once, and kills it as soon as the proxy says so. */
  async function allKilledAt(
    reached: (proxy: DeafProxy) => Promise<void>,
    count: number,
    { make, scheme }: Begun = { make: (_, device) => device.create('TWO_OF_TWO'), scheme: 'TWO_OF_THREE' },
  ): Promise<CutOff[]> {
    await instance.revive();
    const { environmentId } = world;
    const people = await Promise.all(
      Array.from({ length: count }, async () => {
        const { jwt: token } = await world.signIn(newEmail());
        const device = new Device(world, token);
        const through = new Device(world, token, httpRooms({ baseUrl: instance.url, environmentId, token }));
        return { token, device, through, sets: [await make(token, device)] };
      }),
    );
    const held = reached(instance.proxy);
    const renewed = people.map(({ through, sets }) =>
      through.renew(sets[0]!, scheme, (pending) => {
        sets.push(pending);
        return Promise.resolve();
      }),
    );
    // Whichever ends first: all of them are held until the process is gone.
    await instance.killAt(held, Promise.race(renewed));
    for (const { status } of await Promise.allSettled(renewed)) expect(status).toBe('rejected');
    return people;
  }

  const killedAt = async (reached: (proxy: DeafProxy) => Promise<void>, begun?: Begun): Promise<CutOff> =>
    (await allKilledAt(reached, 1, begun))[0]!;

  /** A wallet whose key the service holds, and the shares that it has dealt to upgrade it. */
  async function dealtShares(token: string): Promise<ShareSet> {
    const path = (of: string): string => world.sdk(`/users/embeddedWallets${of}`);
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['SOL'] }];
    await world.anonymous.post(path(''), { embeddedWallets }, { token, expect: 201 });
    await world.anonymous.post(path('/upgradeToV2'), {}, { token, expect: 201 });
    const options = { token, expect: 200 };
    const { body } = await world.anonymous.get<{ walletId: string; secret: string }>(path('/passcode'), options);
    const recover = world.sdk(`/waas/${body.walletId}/keyShares/recover`);
    const { body: copies } = await world.anonymous.post<{ keyShares: StoredBackup[] }>(recover, {}, options);
    const lock = { secret: new Uint8Array(Buffer.from(body.secret, 'base64url')) };
    return openBackup(copies.keyShares[0]!.encryptedAccountCredential!, lock);
  }

  it.each([
    ['before the first message is taken', 'ceremonyRooms.take', 'ceremonyRooms.take'],
    ['before the new shares are pending', 'COMMIT', 'ceremonyRooms.updateState'],
    ['before the switch', SWITCH, SWITCH],
    ['after the switch, and before the room is done', 'ceremonyRooms.end', SWITCH],
    ['before other ceremonies end', 'ceremonyRooms.endOthers', SWITCH],
    ['before it commits', 'COMMIT', SWITCH],
  ])(
    `%s leaves the old set in use, and that alone, of ${CUTS} that are cut off there`,
    async (_, next, statement) => {
      for (const count of KILLS) {
        const all = await allKilledAt((proxy) => proxy.holdBefore(next, statement, count), count);
        await Promise.all(all.map(expectOldSetAlone));
      }
    },
    PATIENCE_MS,
  );

  it.each([
    ['before the dealt shares are replaced', SWITCH, SWITCH],
    ['before the wallet is another', 'walletUpgrades.finish', SWITCH],
    ['before its seed goes', 'walletSeeds.destroy', 'walletUpgrades.finish'],
    ['before its credential says so', 'walletUpgrades.updateCredential0', 'walletUpgrades.finish'],
    ['before it commits', 'COMMIT', 'walletUpgrades.finish'],
  ])(
    '%s leaves a wallet that is being upgraded with the key that it had, and that alone',
    async (_, next, statement) => {
      const { device, sets, token } = await killedAt((proxy) => proxy.holdBefore(next, statement), {
        make: dealtShares,
      });
      const [dealt] = sets as [ShareSet];
      const sign = world.sdk(`/users/embeddedWallets/${dealt.walletId}/sign`);
      const signs = async (): Promise<number> =>
        (await world.anonymous.post(sign, { kind: 'message', message: TEXT }, { token })).status;
      await eventually('the key that was signs', async () => (await signs()) === 200);
      await expect(device.sign(dealt, TEXT)).rejects.toThrow();
      const anew: ShareSet[] = [];
      await eventually('the wallet is upgraded', async () => {
        const made = await device.renew(dealt).catch(() => null);
        if (made) anew.push(made);
        return made;
      });
      expect(await usable(device, [anew.at(-1)!])).toEqual([2]);
      expect(await signs()).not.toBe(200);
      const seeds = 'SELECT s.id FROM wallet_seeds s JOIN wallets w ON w.user_id = s.user_id WHERE w.id = $1';
      expect(await rowsOf(instance.survivor, seeds, [dealt.walletId])).toEqual([]);
    },
    240_000,
  );

  it.each([
    ['before they are kept', 'keyShareSets.insert', 'walletUpgrades.begin'],
    ['before their passcode is there', 'walletSecrets.insert', 'walletUpgrades.begin'],
    ['before it commits', 'COMMIT', 'walletUpgrades.begin'],
  ])(
    'while it deals shares for an upgrade, %s, leaves the wallet as it was, and the next call deals',
    async (_, next, statement) => {
      await instance.revive();
      const { jwt: token, userId } = await world.signIn(newEmail());
      const path = (of: string): string => world.sdk(`/users/embeddedWallets${of}`);
      const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['SOL'] }];
      await world.anonymous.post(path(''), { embeddedWallets }, { token, expect: 201 });
      const held = instance.proxy.holdBefore(next, statement);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const address = `${instance.url}/api/v0${path('/upgradeToV2')}`;
      await instance.killAt(held, fetch(address, { method: 'POST', headers, body: '{}' }));
      for (const table of ['key_share_sets', 'key_share_backups', 'wallet_secrets'])
        expect(await rowsOf(instance.survivor, `SELECT id FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
      const upgrade = () => world.anonymous.post(path('/upgradeToV2'), {}, { token });
      await eventually('shares are dealt', async () => (await upgrade()).status === 201);
      expect(
        await rowsOf(instance.survivor, 'SELECT id FROM key_share_sets WHERE user_id = $1', [userId]),
      ).toHaveLength(1);
      expect(
        await rowsOf(instance.survivor, 'SELECT id FROM wallet_secrets WHERE user_id = $1', [userId]),
      ).toHaveLength(1);
    },
    240_000,
  );

  it('after it has committed leaves the new set in use, and that alone, though nobody heard of it', async () => {
    const { device, sets } = await killedAt((proxy) => proxy.withholdCommitOf(SWITCH));
    expect(sets).toHaveLength(2);
    await eventually('the switch is there', async () => {
      const of = 'SELECT generation FROM key_share_sets k JOIN wallets w ON w.seed_id = k.id WHERE w.id = $1';
      return (await rowsOf<{ generation: number }>(instance.survivor, of, [sets[0]!.walletId]))[0]!.generation === 2;
    });
    expect(await usable(device, sets)).toEqual([2]);
  }, 180_000);
});
