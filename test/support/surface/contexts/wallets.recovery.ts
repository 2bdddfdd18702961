import { DevInbox } from '../../../../src/providers/index.js';
import { Authenticator } from '../../authenticator.js';
import { newStamper } from '../../stamper.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { SIGNED_OUT } from './identity.js';
import { optionsOf, SITE, storedPasskey } from './identity.passkeys.js';
import { claimedWallet, strangers } from './wallets.js';

/** An X25519 public key. */
const TARGET = 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f';

async function walletOf(tenant: Tenant): Promise<string> {
  return (await claimedWallet(tenant))['ownWalletId']!;
}

/** A request for the end user's verified address, signed by a key of that session. */
async function signedEmail(tenant: Tenant): Promise<{ body: object }> {
  const { world, db, endUser } = tenant;
  const walletId = await walletOf(tenant);
  const { rows } = await db.query<{ organizationId: string; userId: string }>(
    `SELECT s.vault_organization_id AS "organizationId", s.vault_user_id AS "userId"
     FROM wallet_seeds s JOIN wallets w ON w.seed_id = s.id WHERE w.id = $1`,
    [walletId],
  );
  const key = newStamper();
  await db.query(
    `INSERT INTO wallet_session_keys (environment_id, session_id, public_key, user_id, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '15 minutes')`,
    [world.environmentId, endUser.sessionId, key.publicKey, endUser.userId],
  );
  const { organizationId, userId } = rows[0]!;
  const request = {
    organizationId,
    parameters: { userId, userEmail: endUser.email },
    timestampMs: String(Date.now()),
    type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  };
  return { body: { keyvaultSignedRequest: key.stamp(request) } };
}

/** What an end user who has lost a passkey sends: a new one, made with the code from the email. */
async function recovered(tenant: Tenant): Promise<{ body: object }> {
  const { world, endUser } = tenant;
  await storedPasskey(tenant, endUser);
  const walletId = await walletOf(tenant);
  const path = world.sdk('/users/embeddedWallets/passkeyRecovery');
  const asked = { walletId, keyvaultRecoveryTargetPublicKey: null };
  const before = new Set(world.test.app.get(DevInbox).entries);
  await world.anonymous.post(path, asked, { token: endUser.jwt, expect: 201 });
  const mail = world.test.app
    .get(DevInbox)
    .entries.find((one) => !before.has(one) && one.subject?.startsWith('Your code for a new passkey'));
  const challenge = mail!.code!;
  const { user } = await optionsOf<{ user: { id: string } }>(tenant, 'register', endUser.jwt);
  const { id, response } = new Authenticator().create({ challenge, user }, SITE);
  const { clientDataJson, attestationObject } = response;
  const transports = ['AUTHENTICATOR_TRANSPORT_INTERNAL'];
  return {
    body: { walletId, challenge, attestation: { credentialId: id, clientDataJson, attestationObject, transports } },
  };
}

const onOwnWallet = (request: OperationSurface['request']): OperationSurface => ({ callers: strangers(404), request });

export const surface: Surface = {
  operations: {
    updateEmbeddedWalletRecoveryEmail: {
      callers: strangers(422),
      request: signedEmail,
      rulesBeyondTheSchema: /^keyvaultSignedRequest/,
    },
    initEmailAuth: {
      ...onOwnWallet(async (tenant) => {
        await tenant.db.query('DELETE FROM wallet_session_keys WHERE user_id = $1', [tenant.endUser.userId]);
        return { body: { walletId: await walletOf(tenant), keyvaultEmailAuthTargetPublicKey: TARGET } };
      }),
      untold: 'a key of a session is no record of the environment',
      rulesBeyondTheSchema: /^keyvaultEmailAuthTargetPublicKey: /,
    },
    initPasskeyRecovery: {
      ...onOwnWallet(async (tenant) => {
        await storedPasskey(tenant, tenant.endUser);
        return { body: { walletId: await walletOf(tenant), keyvaultRecoveryTargetPublicKey: TARGET } };
      }),
      rulesBeyondTheSchema: /^keyvaultRecoveryTargetPublicKey: /,
    },
    completePasskeyRecovery: {
      ...onOwnWallet(recovered),
      toldSometimes: SIGNED_OUT,
    },
  },
};
