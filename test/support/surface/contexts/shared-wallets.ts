import { randomUUID } from 'node:crypto';
import {
  createSplitWallet,
  createWallet,
  KeyGeneration,
  Resharing,
  signingShares,
  signSplit,
  SplitGeneration,
  type OpenedRoom,
  type OpenedSplit,
  type RoomMessage,
  type ShareSet,
} from '../../../../clients/custody/src/index.js';
import { messageDigest } from '../../../../clients/custody/src/split/split-key.js';
import { Device, roomsOf } from '../../shared-wallet.js';
import type { RecordIds } from '../records.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const TEXT = 'I agree.';

const withoutRooms = async ({ db, endUser }: Tenant): Promise<void> => {
  await db.query('DELETE FROM ceremony_rooms WHERE user_id = $1', [endUser.userId]);
};

async function openKeygen({ world, endUser }: Tenant, clientKeygenIds: string[]): Promise<OpenedRoom> {
  const request = { chain: 'SVM', clientKeygenIds };
  const options = { token: endUser.jwt, expect: 200 };
  return (await world.anonymous.post<OpenedRoom>(world.sdk('/waas/create'), request, options)).body;
}

/** The wallet shared by the end user and the service, with the user's half. */
const made = new WeakMap<Tenant, ShareSet>();

export async function sharedWallet(tenant: Tenant): Promise<ShareSet> {
  const { world, db, endUser, ids } = tenant;
  await withoutRooms(tenant);
  const known = made.get(tenant);
  const { rowCount } = await db.query('SELECT FROM wallets WHERE id = $1 AND deleted_at IS NULL', [known?.walletId]);
  if (known && rowCount === 1) return known;
  // Removes wallets without shares, since a user may have a limited number; but the one in the paths stays.
  await db.query(
    `DELETE FROM wallets w WHERE w.user_id = $1 AND w.version = 'V3' AND w.id IS DISTINCT FROM $2
     AND NOT EXISTS (SELECT FROM key_share_sets s WHERE s.environment_id = w.environment_id AND s.id = w.seed_id)`,
    [endUser.userId, ids['sharedWalletId'] ?? null],
  );
  const generation = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
  const opened = await openKeygen(tenant, generation.keygenIds);
  const rooms = roomsOf(world, endUser.jwt);
  const shares = await createWallet(rooms, world.environmentId, generation, opened, () => Promise.resolve());
  made.set(tenant, shares);
  return shares;
}

export const fittingWallet = async (tenant: Tenant): Promise<RecordIds> => ({
  sharedWalletId: (await sharedWallet(tenant)).walletId,
});

/** A wallet of another user: nobody signs with it, so it has no shares. */
async function makeWallet({ world, db, endUser }: Tenant, userId: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, seed_id, version, claimed_at)
     SELECT u.environment_id, gen_random_uuid(), u.id, 'embedded', 'Shared wallet', 'SOL',
       replace(gen_random_uuid()::text, '-', ''), 'embeddedWallet', gen_random_uuid(), 'V3', now()
     FROM users u WHERE u.environment_id = $1 AND u.id IN ($2, $3) ORDER BY u.id = $2 DESC LIMIT 1 RETURNING id`,
    [world.environmentId, userId, endUser.userId],
  );
  return rows[0]!.id;
}

const makeAddress = async (tenant: Tenant, userId: string): Promise<string> => {
  const sql = 'SELECT address FROM wallets WHERE id = $1';
  return (await tenant.db.query<{ address: string }>(sql, [await makeWallet(tenant, userId)])).rows[0]!.address;
};

async function makeRoom({ world, db, endUser }: Tenant, userId: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO ceremony_rooms (environment_id, id, user_id, session_id, type, state, expires_at)
     SELECT u.environment_id, gen_random_uuid(), u.id, $4, 'threshold', 'open', now() + interval '1 hour'
     FROM users u WHERE u.environment_id = $1 AND u.id IN ($2, $3) ORDER BY u.id = $2 DESC LIMIT 1 RETURNING id`,
    [world.environmentId, userId, endUser.userId, randomUUID()],
  );
  return rows[0]!.id;
}

/** The end user's message to the room opened last. */
const answers = new WeakMap<Tenant, object>();

async function signingRoom(tenant: Tenant): Promise<RecordIds> {
  const { world, endUser } = tenant;
  const shares = await sharedWallet(tenant);
  const path = world.sdk(`/waas/${shares.walletId}/signMessage`);
  const options = { token: endUser.jwt, expect: 200 };
  const { body } = await world.anonymous.post<OpenedRoom>(path, { message: TEXT }, options);
  const [opening] = (await roomsOf(world, endUser.jwt).read(body.roomId, 0)) as [RoomMessage];
  answers.set(tenant, signingShares(shares, opening.message['commitments'] as never, Buffer.from(TEXT), [1]));
  return { roomId: body.roomId };
}

/** Other users of the environment, to whom the wallet or room does not belong. */
export const strangers = { 'an end user': [404], 'an end user with the minified token': [404] };

const UNTOLD_RESHARE = 'the old shares are in use until the new ones have signed';

export const surface: Surface = {
  records: {
    sharedWalletId: { make: makeWallet, ofPerson: true },
    roomId: { make: makeRoom, ofPerson: true },
    walletAddress: { make: makeAddress, ofPerson: true },
  },
  operations: {
    createWaasAccount: {
      request: async (tenant) => {
        await withoutRooms(tenant);
        const { keygenIds } = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
        return { body: { chain: 'SVM', clientKeygenIds: keygenIds, thresholdSignatureScheme: 'TWO_OF_TWO' } };
      },
      untold: 'the wallet exists when both sides have proved their shares',
      rulesBeyondTheSchema: /^(chain|clientKeygenIds(\.0)?|thresholdSignatureScheme|addressType): /,
    },
    createRoomsWithoutWalletId: {
      request: async (tenant) => {
        await withoutRooms(tenant);
        return { body: { roomType: 'full', thresholdSignatureScheme: 'TWO_OF_TWO', roomCount: 2 } };
      },
      untold: 'a room is for a minute, and no record of the environment',
    },
    createRooms: {
      callers: strangers,
      paths: { walletId: 'sharedWalletId' },
      fittingRecords: fittingWallet,
      request: async (tenant) => {
        await withoutRooms(tenant);
        return { body: { roomType: 'threshold', roomCount: 2 } };
      },
      untold: 'a room is for a minute, and no record of the environment',
    },
    signMessage: {
      callers: strangers,
      paths: { walletId: 'sharedWalletId' },
      fittingRecords: fittingWallet,
      request: async (tenant) => {
        await withoutRooms(tenant);
        return { body: { message: TEXT } };
      },
      untold: 'nothing is signed before the user has sent a share',
      rulesBeyondTheSchema: /^(message|isFormatted|roomId|context|bitcoinConfig)/,
    },
    refreshKeyShares: {
      callers: strangers,
      paths: { walletId: 'sharedWalletId' },
      fittingRecords: fittingWallet,
      request: async (tenant) => {
        await withoutRooms(tenant);
        return {};
      },
      untold: UNTOLD_RESHARE,
    },
    reshare: {
      callers: strangers,
      paths: { walletId: 'sharedWalletId' },
      fittingRecords: fittingWallet,
      request: async (tenant) => {
        const resharing = await Resharing.begin(await sharedWallet(tenant), 'TWO_OF_THREE');
        return { body: resharing.request };
      },
      untold: UNTOLD_RESHARE,
      rulesBeyondTheSchema:
        /^(clientKeygenIds(\.0)?|oldThresholdSignatureScheme|newThresholdSignatureScheme|delegateToProjectEnvironment|revokeDelegation): /,
    },
    postRoomMessage: {
      callers: strangers,
      fittingRecords: signingRoom,
      request: async (tenant) => {
        if (!answers.has(tenant)) await signingRoom(tenant);
        return { body: { message: answers.get(tenant) } };
      },
      toldSometimes: {
        'wallet.created': 'when it proves a key that was made',
        'wallet.keyReleased': 'when it deals shares with which the user can have the whole key',
        'wallet.reshared': 'when it proves shares that were made anew',
        'wallet.upgraded': 'when it proves shares of a key that the service held',
        'wallet.delegation.revoked': 'when servers had access to such a key',
      },
      rulesBeyondTheSchema: /^message/,
      usesUp: true,
    },
    getWaasWalletByWalletId: {
      paths: { walletId: 'sharedWalletId' },
      fittingRecords: fittingWallet,
    },
    getWaasWalletWithVerifiedCredentials: {
      callers: strangers,
      fittingRecords: async (tenant) => ({ walletAddress: (await sharedWallet(tenant)).address }),
    },
    getRoomMessages: {
      callers: strangers,
      fittingRecords: signingRoom,
      request: () => ({ query: 'after=0&waitSeconds=0' }),
    },
  },
  scenarios: {
    'a key that its device splits, signs with and shares anew': async (tenant) => {
      await withoutRooms(tenant);
      const { world, endUser, db } = tenant;
      const token = endUser.jwt;
      const open = async (path: string, request: object): Promise<OpenedSplit> => {
        const options = { token, expect: 200 };
        return (await world.anonymous.post<OpenedSplit>(world.sdk(`/waas/${path}`), request, options)).body;
      };
      const rooms = roomsOf(world, token);
      const generation = await SplitGeneration.begin('TWO_OF_TWO');
      const opened = await open('create', { chain: 'EVM', clientKeygenIds: generation.keygenIds });
      const made = await createSplitWallet(rooms, world.environmentId, generation, opened, () => Promise.resolve());
      const shares = await new Device(world, token).renew(made);
      const { roomId } = await open(`${shares.walletId}/signMessage`, { message: TEXT });
      await signSplit(rooms, world.environmentId, shares, messageDigest(Buffer.from(TEXT)), roomId);
      await db.query('DELETE FROM wallets WHERE id = $1', [shares.walletId]);
    },
    'a reshare that gives its user the whole key': async (tenant) => {
      const shares = await sharedWallet(tenant);
      const device = new Device(tenant.world, tenant.endUser.jwt);
      made.set(tenant, await device.renew(await device.renew(shares, 'TWO_OF_THREE'), 'TWO_OF_TWO'));
    },
    'a refresh of a shared key': async (tenant) => {
      const shares = await sharedWallet(tenant);
      made.set(tenant, await new Device(tenant.world, tenant.endUser.jwt).renew(shares));
    },
  },
};
