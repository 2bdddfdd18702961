import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../../../../src/common/ids.js';
import { addDevice, allowSecondFactors, codeOf } from '../../second-factor.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import type { Verdict } from '../verdict.js';

const ENDED_BY = 'goes on with a session whose beginning was published';

/** What somebody is told who has no device yet. */
const withoutDevice = (verdict: Verdict): OperationSurface['callers'] => ({
  'an end user': verdict,
  'an end user with the minified token': verdict,
});

/** Secrets of the devices of the tenants' end users. */
const secrets = new WeakMap<Tenant, string>();

/** A device of the end user, in whose session a second factor was given. */
async function makeDevice(tenant: Tenant): Promise<string> {
  const { world, endUser, db } = tenant;
  if (!secrets.has(tenant)) {
    await allowSecondFactors(world);
    const { id, secret } = await addDevice(world, endUser.jwt);
    secrets.set(tenant, secret);
    return id;
  }
  // Another one is of no use but to be named, so it shares the sealed secret of the first.
  const id = newId();
  await db.query('DELETE FROM mfa_devices WHERE user_id = $1 AND NOT is_default', [endUser.userId]);
  await db.query(
    `INSERT INTO mfa_devices (environment_id, id, user_id, type, sealed_secret, master_key_id, verified_at)
     SELECT environment_id, $2, user_id, type, sealed_secret, master_key_id, now() FROM mfa_devices
     WHERE user_id = $1 AND is_default`,
    [endUser.userId, id],
  );
  return id;
}

/** The code of now, though it may have been used. */
async function presentCode(tenant: Tenant): Promise<string> {
  await tenant.db.query(
    'UPDATE mfa_devices SET last_step = 0, failures = 0, failures_in_row = 0, blocked_until = NULL WHERE user_id = $1',
    [tenant.endUser.userId],
  );
  return codeOf(secrets.get(tenant)!);
}

async function recoveryCode({ db, endUser, world }: Tenant): Promise<string> {
  const code = 'A'.repeat(24);
  await db.query(
    `INSERT INTO mfa_recovery_codes (environment_id, user_id, code_hashes) VALUES ($1, $2, ARRAY[$3::bytea])
     ON CONFLICT (environment_id, user_id) DO UPDATE SET code_hashes = excluded.code_hashes, failures = 0,
       failures_in_row = 0, blocked_until = NULL`,
    [world.environmentId, endUser.userId, createHash('sha256').update(code).digest()],
  );
  return code;
}

async function begunDevice({ world, endUser }: Tenant): Promise<{ type: string; code: string }> {
  const path = world.sdk('/users/mfa/register/totp');
  const { body } = await world.anonymous.get<{ secret: string }>(path, { token: endUser.jwt, expect: 200 });
  return { type: 'totp', code: codeOf(body.secret) };
}

async function mfaToken({ db, endUser, world }: Tenant): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.query(
    `INSERT INTO mfa_tokens (environment_id, token_hash, user_id, session_id, single_use, expires_at)
     VALUES ($1, $2, $3, $4, true, now() + interval '5 min')`,
    [world.environmentId, createHash('sha256').update(token).digest(), endUser.userId, endUser.sessionId],
  );
  return token;
}

async function removeOthers({ db, endUser }: Tenant): Promise<void> {
  await db.query('DELETE FROM mfa_devices WHERE user_id = $1 AND NOT is_default', [endUser.userId]);
}

export const surface: Surface = {
  records: { mfaDeviceId: { make: makeDevice } },
  operations: {
    getMfaDevice: { callers: withoutDevice([404]) },
    updateUserMfaDevice: {
      request: () => ({ body: { default: true } }),
      callers: withoutDevice([404]),
      untold: 'which device is asked first concerns its user alone',
    },
    deleteMfaDevice: {
      request: async (tenant) => ({ headers: { 'x-mfa-auth-token': await mfaToken(tenant) } }),
      fittingRecords: async (tenant) => ({ mfaDeviceId: await makeDevice(tenant) }),
      callers: withoutDevice([404]),
    },
    registerTotpMfaDeviceVerify: {
      request: async (tenant) => {
        await removeOthers(tenant);
        return { body: await begunDevice(tenant) };
      },
      callers: withoutDevice([422]),
    },
    authMfaTotpDevice: {
      request: async (tenant) => ({ body: { code: await presentCode(tenant) } }),
      callers: withoutDevice([422]),
      untold: ENDED_BY,
    },
    authMfaRecovery: {
      request: async (tenant) => ({ body: { code: await recoveryCode(tenant) } }),
      callers: withoutDevice([422]),
    },
    createNewRecoveryCodes: { callers: withoutDevice([404]) },
  },
};
