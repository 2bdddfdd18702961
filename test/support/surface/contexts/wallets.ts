import { randomBytes, randomUUID } from 'node:crypto';
import { base58 } from '@scure/base';
import { KeyImport } from '../../../../src/custody/index.js';
import { ed25519PublicKey } from '../../../../src/custody/derivation/ed25519-key.js';
import { solanaAddress } from '../../../../src/custody/derivation/solana-address.js';
import { newEmail } from '../../world.js';
import { sealFor } from '../../hpke-open.js';
import { newStamper } from '../../stamper.js';
import { newAddress, type RecordIds } from '../records.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

async function makeWallet({ world, marker }: Tenant): Promise<string> {
  const wallet = { chain: 'EVM', walletName: marker, walletProvider: 'browserExtension' };
  const { body } = await world.api.post<{ user: { wallets: { id: string }[] } }>(
    world.path('/users'),
    { email: `${marker}-${newEmail()}`, wallets: [{ ...wallet, publicWalletAddress: newAddress() }] },
    { expect: 201 },
  );
  return body.user.wallets[0]!.id;
}

const external = () => ({
  publicWalletAddress: newAddress(),
  chain: 'EVM',
  walletName: 'test',
  walletProvider: 'browserExtension',
});

/** An embedded wallet of a tenant's user; of its end user if the person is none of them. */
export async function makeOwnWallet({ world, db, endUser }: Tenant, userId: string): Promise<string> {
  const prepare = (identifier: string) =>
    world.api.post<{ user?: { id: string } }>(world.path('/embeddedWallets'), { identifier, type: 'id', chain: 'EVM' });
  const { body } = await prepare(userId);
  const owner = body.user ? userId : endUser.userId;
  const made = body.user ? { body } : await prepare(owner);
  if (!made.body.user) throw new Error(`No wallet was made: ${JSON.stringify(made.body)}`);
  const shown = `UPDATE wallets SET deleted_at = NULL, claimed_at = coalesce(claimed_at, now())
    WHERE user_id = $1 AND kind = 'embedded' AND chain = 'EVM' RETURNING id`;
  return (await db.query<{ id: string }>(shown, [owner])).rows[0]!.id;
}

/** The tenant's end user's embedded wallet. */
async function ownWallet(tenant: Tenant, state: 'shown' | 'hidden'): Promise<RecordIds> {
  const ownWalletId = await makeOwnWallet(tenant, tenant.endUser.userId);
  if (state === 'hidden') await tenant.db.query('UPDATE wallets SET deleted_at = now() WHERE id = $1', [ownWalletId]);
  return { ownWalletId };
}

/** An X25519 public key. */
export const RECIPIENT = 'CJJVwz8n6sEVyzWHXF3zxrVYzaMuzCcP4vVLpTEAmSPk';

export async function claimedWallet(tenant: Tenant): Promise<RecordIds> {
  const wallet = await ownWallet(tenant, 'shown');
  await tenant.db.query('UPDATE wallets SET claimed_at = now() WHERE id = $1', [wallet['ownWalletId']]);
  return wallet;
}

/** An export requested by a user, for any of their wallets. */
async function makeExport(tenant: Tenant, userId: string): Promise<string> {
  const walletId = await makeOwnWallet(tenant, userId);
  const { rows } = await tenant.db.query<{ id: string }>(
    `INSERT INTO wallet_exports (environment_id, id, user_id, session_id, wallet_id, kem, public_key, expires_at)
     SELECT w.environment_id, gen_random_uuid(), w.user_id, coalesce(
         (SELECT s.id FROM sessions s WHERE s.user_id = w.user_id ORDER BY s.created_at DESC LIMIT 1), gen_random_uuid()),
       w.id, 'X25519', $2, now() + interval '5 minutes'
     FROM wallets w WHERE w.id = $1 RETURNING id`,
    [walletId, Buffer.from(base58.decode(RECIPIENT))],
  );
  return rows[0]!.id;
}

/** An export of the end user, for the calling session. */
async function openedExport(tenant: Tenant): Promise<RecordIds> {
  const wallet = await claimedWallet(tenant);
  const exportActivityId = await makeExport(tenant, tenant.endUser.userId);
  await tenant.db.query('UPDATE wallet_exports SET session_id = $2 WHERE id = $1', [
    exportActivityId,
    tenant.endUser.sessionId,
  ]);
  return { ...wallet, exportActivityId };
}

/** A pending import of a user, and the keys to seal it to; of the end user for people of other tenants. */
async function openImport({ world, db, endUser }: Tenant, userId: string) {
  const known = await db.query('SELECT FROM users WHERE environment_id = $1 AND id = $2', [
    world.environmentId,
    userId,
  ]);
  const isStranger = userId !== endUser.userId && known.rowCount === 1;
  const importer = isStranger ? { userId, sessionId: randomUUID() } : endUser;
  return world.test.app.get(KeyImport, { strict: false }).open(world.environmentId, importer, 'SOL');
}

/** The end user's message to the import begun last. */
const offers = new WeakMap<Tenant, object>();

async function openedImport(tenant: Tenant): Promise<RecordIds> {
  const { world, db, endUser } = tenant;
  await db.query("DELETE FROM wallets WHERE user_id = $1 AND kind = 'embedded' AND account_index IS NULL", [
    endUser.userId,
  ]);
  const { importId, publicKeys } = await openImport(tenant, endUser.userId);
  const key = randomBytes(32);
  const address = solanaAddress(ed25519PublicKey(key));
  const info = Buffer.from(['import/v1', world.environmentId, endUser.userId, 'SOL', importId].join('|'));
  const { enc, ciphertext } = sealFor(publicKeys.X25519, key, info, Buffer.from(address));
  offers.set(tenant, { enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url'), address });
  return { importActivityId: importId };
}

/** A prepared request of the end user, signed by a key of that session. */
async function stamped(tenant: Tenant, path: string): Promise<{ body: object }> {
  const { world, db, endUser } = tenant;
  const key = newStamper();
  await db.query(
    `INSERT INTO wallet_session_keys (environment_id, session_id, public_key, user_id, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '15 minutes')`,
    [world.environmentId, endUser.sessionId, key.publicKey, endUser.userId],
  );
  const prepared = await world.anonymous.get(world.sdk(`/users/embeddedWallets${path}`), {
    token: endUser.jwt,
    expect: 200,
  });
  return { body: { keyvaultSignedRequest: key.stamp(prepared.body) } };
}

/** Other users of the environment, to whom the wallet does not belong. */
export const strangers = (status: number) => ({
  'an end user': [status],
  'an end user with the minified token': [status],
});

async function aKeyLeaves(tenant: Tenant): Promise<void> {
  const { ownWalletId, exportActivityId } = await openedExport(tenant);
  const { world, endUser } = tenant;
  const path = world.sdk(`/users/embeddedWallets/${ownWalletId}/activities/${exportActivityId}/export`);
  await world.anonymous.get(path, { token: endUser.jwt, expect: 200 });
}

export const surface: Surface = {
  scenarios: { 'a key that leaves with its user': aKeyLeaves },
  records: {
    walletId: { make: makeWallet },
    ownWalletId: { make: makeOwnWallet, ofPerson: true },
    exportActivityId: { make: makeExport, ofPerson: true },
    importActivityId: {
      make: async (tenant, userId) => (await openImport(tenant, userId)).importId,
      ofPerson: true,
    },
  },
  commands: { 'ledger verify': { untold: 'only reads' } },
  operations: {
    createEmbeddedWallet: {
      request: () => ({ body: { identifier: newEmail(), type: 'email', chains: ['EVM'] } }),
      rulesBeyondTheSchema: /^(identifier|type): /,
    },
    createEmbeddedWalletFromFrameapp: {
      request: () => ({ body: { email: newEmail(), fid: randomBytes(4).readUInt32BE(), chains: ['EVM'] } }),
      rulesBeyondTheSchema: /^fid: /,
    },
    createWallet: { request: () => ({ body: external() }) },
    createWalletLegacy: { request: () => ({ body: external() }) },
    getWalletsByEnvironmentId: { request: () => ({ query: 'limit=5&offset=0' }) },
    recoverDeletedWalletsWithEnvironment: {
      request: async (tenant) => {
        await ownWallet(tenant, 'hidden');
        return { body: { userId: tenant.endUser.userId } };
      },
      rulesBeyondTheSchema: /^(userId|body): /,
    },
    createEmbeddedWallets: {
      request: async ({ db, endUser }) => {
        await db.query("DELETE FROM wallets WHERE user_id = $1 AND kind = 'embedded'", [endUser.userId]);
        return { body: { embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }] } };
      },
      rulesBeyondTheSchema: /^embeddedWallets/,
    },
    selectUserWallet: {
      callers: strangers(422),
      request: async (tenant) => ({ body: { walletId: (await ownWallet(tenant, 'shown'))['ownWalletId'] } }),
    },
    claimEmbeddedWallet: {
      callers: strangers(422),
      request: async (tenant) => {
        const { ownWalletId } = await ownWallet(tenant, 'shown');
        await tenant.db.query('UPDATE wallets SET claimed_at = NULL WHERE id = $1', [ownWalletId]);
        return { body: { walletId: ownWalletId } };
      },
    },
    signWithEmbeddedWallet: {
      callers: strangers(404),
      paths: { walletId: 'ownWalletId' },
      fittingRecords: claimedWallet,
      request: () => ({ body: { kind: 'message', message: 'I agree.' } }),
      untold: 'a signature is a row of the ledger and no event',
      rulesBeyondTheSchema: /^(kind|message|transaction|typedData|encoding): /,
    },
    exportPrivateKey: {
      callers: strangers(404),
      paths: { walletId: 'ownWalletId' },
      fittingRecords: claimedWallet,
      request: () => ({ body: { exportId: RECIPIENT } }),
      untold: 'an export that is asked for is a mail to the user, and an event once the key has left',
      rulesBeyondTheSchema: /^(exportId|addressType): /,
    },
    embeddedWalletExport: {
      callers: strangers(404),
      paths: { walletId: 'ownWalletId', activityId: 'exportActivityId' },
      fittingRecords: openedExport,
      usesUp: true,
    },
    importPrivateKey: {
      request: () => ({ body: { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' } }),
      untold: 'nothing is there before the key is brought',
      rulesBeyondTheSchema: /^(chain|clientKeygenIds(\.0)?): /,
    },
    completePrivateKeyImport: {
      callers: strangers(404),
      paths: { activityId: 'importActivityId' },
      fittingRecords: openedImport,
      request: async (tenant) => {
        if (!offers.has(tenant)) await openedImport(tenant);
        return { body: offers.get(tenant) };
      },
      rulesBeyondTheSchema: /^(enc|ciphertext): /,
      usesUp: true,
    },
    registerSessionKey: {
      request: async ({ db, endUser }) => {
        // Removes prepared requests of earlier calls, since a user may have a limited number at once.
        await db.query('DELETE FROM wallet_session_keys WHERE user_id = $1', [endUser.userId]);
        return { body: { publicKey: newStamper().publicKey } };
      },
      restoring: async (tenant) => async () => tenant.db.query('DELETE FROM wallet_session_keys'),
      untold: 'a key of a session is no record of the environment',
      rulesBeyondTheSchema: /^(publicKey|prevSessionKeySignature|walletId): /,
    },
    getCreateWalletAccountRequest: {
      callers: strangers(422),
      request: async (tenant) => {
        await ownWallet(tenant, 'shown');
        return { query: 'chain=EVM' };
      },
    },
    createWalletAccount: {
      callers: strangers(422),
      request: async (tenant) => {
        await ownWallet(tenant, 'shown');
        await tenant.db.query("DELETE FROM wallets WHERE user_id = $1 AND chain = 'SUI'", [tenant.endUser.userId]);
        return stamped(tenant, '/walletAccounts/createRequest?chain=SUI');
      },
      rulesBeyondTheSchema: /^keyvaultSignedRequest/,
    },
    legacyGetEmbeddedWalletsDeleteRequest: {
      callers: strangers(404),
      request: async (tenant) => {
        await ownWallet(tenant, 'shown');
        return {};
      },
    },
    getEmbeddedWalletsDeleteRequest: {
      callers: strangers(404),
      paths: { walletId: 'ownWalletId' },
      fittingRecords: (tenant) => ownWallet(tenant, 'shown'),
    },
    deleteEmbeddedWallets: {
      callers: strangers(422),
      fittingRecords: (tenant) => ownWallet(tenant, 'shown'),
      request: async (tenant) => {
        const { ownWalletId } = await ownWallet(tenant, 'shown');
        return stamped(tenant, `/${ownWalletId}/deleteRequest`);
      },
      rulesBeyondTheSchema: /^keyvaultSignedRequest/,
    },
    softDeleteEmbeddedWallet: {
      callers: strangers(404),
      toldSometimes: { 'wallet.delegation.revoked': 'when servers had access to it' },
      paths: { walletId: 'ownWalletId' },
      fittingRecords: (tenant) => ownWallet(tenant, 'shown'),
    },
    restoreEmbeddedWallet: {
      callers: strangers(404),
      paths: { walletId: 'ownWalletId' },
      fittingRecords: (tenant) => ownWallet(tenant, 'hidden'),
    },
  },
};
