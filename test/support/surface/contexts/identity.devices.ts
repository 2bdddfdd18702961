import { randomBytes, randomUUID } from 'node:crypto';
import { deviceHash, deviceTokenHash, newDeviceToken } from '../../../../src/identity/devices/device-key.js';
import { SIGNED_OUT } from './identity.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

/** A device that a user has confirmed, replacing earlier ones. */
async function confirmed({ db, world }: Tenant, userId: string): Promise<string> {
  const id = randomUUID();
  await db.query('DELETE FROM device_registrations WHERE user_id = $1', [userId]);
  await db.query(
    'INSERT INTO device_registrations (environment_id, id, user_id, device_hash) VALUES ($1, $2, $3, $4)',
    [world.environmentId, id, userId, randomBytes(32)],
  );
  return id;
}

/** A token for the end user's device, which is not known yet. */
async function mailedToken({ db, world, endUser }: Tenant): Promise<string> {
  const token = newDeviceToken();
  const own = deviceHash({ id: endUser.sessionId, sessionPublicKey: null });
  await db.query('DELETE FROM device_registrations WHERE device_hash = $1', [own]);
  await db.query(
    `INSERT INTO device_confirmations (environment_id, session_id, token_hash, expires_at)
     VALUES ($1, $2, $3, now() + interval '5 min')
     ON CONFLICT (environment_id, session_id) DO UPDATE SET token_hash = excluded.token_hash`,
    [world.environmentId, endUser.sessionId, deviceTokenHash(token)],
  );
  return token;
}

/** The access suite's callers are different users, and the request needs data of the tenant's end user. */
const notTheirs = (status: number) => ({
  'an end user': [status],
  'an end user with the minified token': [status],
});

export const surface: Surface = {
  records: { deviceRegistrationId: { make: (tenant) => confirmed(tenant, tenant.endUser.userId) } },
  operations: {
    registerDevice: {
      request: async (tenant) => ({ headers: { 'x-device-registration-token': await mailedToken(tenant) } }),
      callers: notTheirs(422),
    },
    deleteDeviceRegistration: {
      fittingRecords: async (tenant) => ({ deviceRegistrationId: await confirmed(tenant, tenant.endUser.userId) }),
      callers: notTheirs(404),
      toldSometimes: SIGNED_OUT,
    },
    deleteAllDeviceRegistrations: {
      fittingRecords: async (tenant) => {
        await confirmed(tenant, tenant.endUser.userId);
        return {};
      },
      toldSometimes: SIGNED_OUT,
    },
  },
};
