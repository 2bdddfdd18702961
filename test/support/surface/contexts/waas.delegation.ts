import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import { EnvironmentSettingsReader } from '../../../../src/environments/index.js';
import type { RecordIds } from '../records.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { makeOwnWallet } from './wallets.js';

/** Nothing sealed for it is opened, so its modulus need not be two primes, which take 70 ms to find. */
function newKey(): string {
  const modulus = randomBytes(256);
  modulus[0]! |= 0x80;
  modulus[255]! |= 1;
  const key = createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' }, format: 'jwk' });
  return key.export({ type: 'spki', format: 'pem' }) as string;
}

/** As if a minute had passed, so that another key may take over; some between the first and the newest are removed. */
async function makeRoom({ world, db }: Tenant): Promise<void> {
  const of = [world.environmentId];
  await db.query(
    `UPDATE delegation_keys SET active_at = active_at - interval '61 s', revoked_at = revoked_at - interval '61 s'
     WHERE environment_id = $1`,
    of,
  );
  await db.query(
    `DELETE FROM delegation_keys k USING (
       SELECT id, row_number() OVER (ORDER BY id) AS oldest, row_number() OVER (ORDER BY id DESC) AS newest
       FROM delegation_keys WHERE environment_id = $1) r
     WHERE k.environment_id = $1 AND k.id = r.id AND r.oldest > 1 AND r.newest > 50`,
    of,
  );
}

async function makeKey(tenant: Tenant): Promise<string> {
  const { world, db } = tenant;
  await makeRoom(tenant);
  const path = world.path('/waas/delegatedAccess/encryptionPublicKeys');
  await world.api.post(path, { publicKey: newKey() }, { expect: 201 });
  const newest = 'SELECT id FROM delegation_keys WHERE environment_id = $1 ORDER BY id DESC LIMIT 1';
  return (await db.query<{ id: string }>(newest, [world.environmentId])).rows[0]!.id;
}

/** Other users of the environment, to whom the wallet does not belong. */
const strangers = { 'an end user': [404], 'an end user with the minified token': [404] } as const;
const CREDENTIAL = randomBytes(32);
const credentialHash = createHash('sha256').update(CREDENTIAL).digest('hex');

/** Allows the environment's servers to act for users. */
async function turnOn({ world, db }: Tenant): Promise<void> {
  await db.query(
    `UPDATE environment_settings SET settings = jsonb_set(settings, '{sdk,waas,delegatedAccess,enabled}', 'true')
     WHERE environment_id = $1`,
    [world.environmentId],
  );
  world.test.app.get(EnvironmentSettingsReader, { strict: false }).forget(world.environmentId);
}

/** A wallet of the tenant's end user, who denies nothing. */
async function openWallet(tenant: Tenant): Promise<RecordIds> {
  const ownWalletId = await makeOwnWallet(tenant, tenant.endUser.userId);
  await tenant.db.query('UPDATE wallets SET denies_delegation = false, claimed_at = now() WHERE id = $1', [
    ownWalletId,
  ]);
  await turnOn(tenant);
  return { ownWalletId };
}

/** A wallet with access granted by its user, for messages. */
async function givenWallet(tenant: Tenant): Promise<RecordIds> {
  const wallet = await openWallet(tenant);
  await tenant.db.query(
    `INSERT INTO wallet_delegations (environment_id, wallet_id, id, user_id, credential_hash, access, expires_at)
     SELECT environment_id, id, gen_random_uuid(), user_id, $2, $3, now() + interval '1 day' FROM wallets WHERE id = $1
     ON CONFLICT (environment_id, wallet_id) DO UPDATE SET user_id = excluded.user_id,
       credential_hash = excluded.credential_hash, expires_at = excluded.expires_at`,
    [
      wallet['ownWalletId'],
      Buffer.from(credentialHash, 'hex'),
      { kinds: ['message'], chainIds: null, contracts: null, maxPerTransaction: null, maxPerDay: null },
    ],
  );
  return wallet;
}

const sealed = { alg: 'HYBRID-RSA-AES-256', iv: 'AAAA', ct: 'AAAA', tag: 'AAAA', ek: 'AAAA' };

export const surface: Surface = {
  records: { keyId: { make: makeKey } },
  operations: {
    createDelegatedCredentials: {
      request: async (tenant) => {
        await makeRoom(tenant);
        return { body: { publicKey: newKey() } };
      },
      rulesBeyondTheSchema: /^(publicKey|alg): /,
    },
    deliverDelegatedShare: {
      callers: strangers,
      paths: { walletId: 'ownWalletId' },
      fittingRecords: openWallet,
      request: async (tenant) => {
        await makeKey(tenant);
        await turnOn(tenant);
        return { body: { encryptedDelegatedShare: sealed, credentialHash } };
      },
      rulesBeyondTheSchema: /^(encryptedDelegatedShare|credentialHash|grant|expiresAt)/,
    },
    updateWaasWalletSettings: {
      callers: strangers,
      paths: { walletId: 'ownWalletId' },
      fittingRecords: givenWallet,
      request: () => ({ body: { hasDeniedDelegatedAccess: true } }),
    },
    delegatedSignMessage: {
      paths: { walletId: 'ownWalletId' },
      fittingRecords: givenWallet,
      request: async (tenant) => {
        await givenWallet(tenant);
        return {
          body: { message: 'I agree.' },
          headers: { 'x-delegation-credential': CREDENTIAL.toString('base64url') },
        };
      },
      unrecorded: 'servers sign all day: the ledger of keys has each signature',
      rulesBeyondTheSchema: /^(message|isFormatted|roomId|kind|encoding): /,
    },
    deleteDelegatedAccess: { paths: { walletId: 'ownWalletId' }, fittingRecords: givenWallet },
    revokeDelegatedAccess: {
      request: async (tenant) => ({ body: { walletIds: [(await givenWallet(tenant))['ownWalletId']] } }),
    },
    getDelegatedAccessEncryptionPublicKey: {
      request: async (tenant) => {
        await makeKey(tenant);
        return {};
      },
    },
  },
};
