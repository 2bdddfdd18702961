import { decodeJwt } from 'jose';
import { openBackup, type StoredBackup } from '../../../../clients/custody/src/index.js';
import { Device } from '../../shared-wallet.js';
import { newEmail } from '../../world.js';
import type { RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { sharedWallet, strangers } from './shared-wallets.js';

/**
 * A wallet on Sui created in advance for the end user, who has claimed it and reads its passcode for the first time.
 */
async function dealtWallet({ world, db, endUser }: Tenant): Promise<string> {
  await db.query("DELETE FROM wallets WHERE user_id = $1 AND version = 'V3' AND chain = 'SUI'", [endUser.userId]);
  const request = { identifier: endUser.userId, type: 'id', chains: ['SUI'] };
  await world.api.post(world.path('/waas/create'), request, { expect: 201 });
  const { rows } = await db.query<{ id: string }>(
    "UPDATE wallets SET claimed_at = now() WHERE user_id = $1 AND version = 'V3' AND chain = 'SUI' RETURNING id",
    [endUser.userId],
  );
  return rows[0]!.id;
}

/** Undefined for callers that are not end users of the environment. */
function userOf({ world }: Tenant, token: string | null): string | undefined {
  try {
    const claims = token === null ? {} : decodeJwt(token);
    return claims['environment_id'] === world.environmentId ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

const DEALT = 'SELECT id FROM wallets WHERE user_id = $1 AND dealt_keys_id IS NOT NULL';

/** The end user's Solana wallet with a key held by the service, the only one of that seed. */
async function heldWallet({ world, db, endUser }: Tenant, userId = endUser.userId): Promise<void> {
  await db.query("DELETE FROM wallets WHERE user_id = $1 AND kind = 'embedded' AND version = 'V1'", [userId]);
  const request = { identifier: userId, type: 'id', chains: ['SOL'] };
  await world.api.post(world.path('/embeddedWallets'), request, { expect: 201 });
  const claim = "UPDATE wallets SET claimed_at = now() WHERE user_id = $1 AND kind = 'embedded' AND version = 'V1'";
  await db.query(claim, [userId]);
}

const ofWallet = (walletId: string): RequestParts => ({ query: `walletId=${walletId}` });

export const surface: Surface = {
  operations: {
    createWaasWallet: {
      request: () => ({ body: { identifier: newEmail(), type: 'email', chains: ['SVM'] } }),
      rulesBeyondTheSchema: /^(identifier|type|chains(\.\d+)?): /,
    },
    getEmbeddedWalletPasscode: {
      callers: strangers,
      request: async (tenant) => ofWallet(await dealtWallet(tenant)),
      rulesBeyondTheSchema: /^walletId: /,
    },
    upgradeEmbeddedWalletToV2: {
      request: async (tenant, token) => {
        await heldWallet(tenant, userOf(tenant, token));
        return { body: {} };
      },
      untold: 'the wallet stays as it is until its user has refreshed the shares',
      rulesBeyondTheSchema: /^sessionPublicKey: /,
    },
    getEmbeddedWalletBackups: {
      callers: strangers,
      request: async (tenant) => {
        const { walletId } = await sharedWallet(tenant);
        await tenant.db.query('UPDATE wallet_secrets SET reads = 0 WHERE wallet_id = $1', [walletId]);
        return ofWallet(walletId);
      },
      rulesBeyondTheSchema: /^walletId: /,
    },
  },
  scenarios: {
    'an upgrade of a wallet whose key the service holds': async (tenant) => {
      const { world, endUser } = tenant;
      await heldWallet(tenant);
      const { jwt: token } = endUser;
      await world.anonymous.post(world.sdk('/users/embeddedWallets/upgradeToV2'), {}, { token, expect: 201 });
      const [dealt] = (await tenant.db.query<{ id: string }>(DEALT, [endUser.userId])).rows;
      const path = world.sdk(`/users/embeddedWallets/passcode?walletId=${dealt!.id}`);
      const { body } = await world.anonymous.get<{ secret: string }>(path, { token, expect: 200 });
      const recover = world.sdk(`/waas/${dealt!.id}/keyShares/recover`);
      const copies = await world.anonymous.post<{ keyShares: StoredBackup[] }>(recover, {}, { token, expect: 200 });
      const lock = { secret: new Uint8Array(Buffer.from(body.secret, 'base64url')) };
      const shares = await openBackup(copies.body.keyShares[0]!.encryptedAccountCredential!, lock);
      await new Device(world, token).renew(shares);
    },
  },
};
