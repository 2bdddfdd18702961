import { createHash, randomBytes } from 'node:crypto';
import { Authenticator } from '../../authenticator.js';
import { newId } from '../../../../src/common/ids.js';
import { FactorSite, type Factor } from '../../factor-site.js';
import { addDevice, allowSecondFactors, codeOf } from '../../second-factor.js';
import { newEmail } from '../../world.js';
import { keepSite } from '../site.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import type { Verdict } from '../verdict.js';
import { SIGNED_OUT } from './identity.js';

const ENDED_BY = 'goes on with a session whose beginning was published';

/** The error for users without a device. */
const withoutDevice = (verdict: Verdict): OperationSurface['callers'] => ({
  'an end user': verdict,
  'an end user with the minified token': verdict,
});

/** Secrets of the devices of the tenants' end users. */
const secrets = new WeakMap<Tenant, string>();

/** A device of the end user, whose session has a second factor. */
async function makeDevice(tenant: Tenant): Promise<string> {
  const { world, endUser, db } = tenant;
  if (!secrets.has(tenant)) {
    await allowSecondFactors(world);
    const { id, secret } = await addDevice(world, endUser.jwt);
    secrets.set(tenant, secret);
    return id;
  }
  // Other ones only need to exist, so they share the sealed secret of the first.
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

/** The current code, even if it was already used. */
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

/** The tenants' passkey site, on which second factors are registered. */
const sites = new WeakMap<Tenant, Promise<FactorSite>>();
async function siteOf(tenant: Tenant): Promise<FactorSite> {
  await makeDevice(tenant);
  if (!sites.has(tenant)) sites.set(tenant, FactorSite.register(tenant.world));
  const site = await sites.get(tenant)!;
  await keepSite(tenant, site.origin);
  return site;
}

/** A passkey of the end user as a second factor, replacing an earlier one. */
async function factorOf(tenant: Tenant): Promise<{ site: FactorSite; factor: Factor }> {
  const site = await siteOf(tenant);
  await removeOthers(tenant);
  return { site, factor: await site.add(tenant.endUser.jwt) };
}

/** A code for a proven address of the end user, in a session that seems to have begun differently. */
async function mailedCode({ world, db, endUser }: Tenant): Promise<object> {
  const email = newEmail();
  await db.query(
    `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
     VALUES ($1, 'email', $2, $3, now())`,
    [world.environmentId, email, endUser.userId],
  );
  await db.query("UPDATE sessions SET amr = ARRAY['pop', 'totp'] WHERE user_id = $1", [endUser.userId]);
  return { verificationUUID: await world.sendCode(email), verificationToken: world.code(email) };
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
      toldSometimes: SIGNED_OUT,
    },
    resetAllMfaDevices: { toldSometimes: SIGNED_OUT },
    resetUserMfa: { toldSometimes: SIGNED_OUT },
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
      toldSometimes: { 'mfaDevice.added': 'only an enrolment that it finishes adds a device' },
    },
    registerPasskeyMfaDevice: {
      request: async (tenant) => ({ headers: { origin: (await siteOf(tenant)).origin } }),
    },
    registerPasskeyMfaDeviceVerify: {
      request: async (tenant) => {
        const site = await siteOf(tenant);
        await removeOthers(tenant);
        const { body } = await site.begin(tenant.endUser.jwt);
        return { headers: { origin: site.origin }, body: site.answerTo(body, new Authenticator()) };
      },
      callers: withoutDevice([422]),
    },
    authenticateMfaPasskeyDevice: {
      request: async (tenant) => {
        const { site, factor } = await factorOf(tenant);
        const options = await site.challenge('authenticate', tenant.endUser.jwt);
        return { headers: { origin: site.origin }, body: factor.key.get(options, site.ceremony) };
      },
      callers: withoutDevice([422]),
      untold: ENDED_BY,
    },
    authenticateMfaEmail: {
      request: async (tenant) => {
        await siteOf(tenant);
        return { body: await mailedCode(tenant) };
      },
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
