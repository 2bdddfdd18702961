import { randomBytes } from 'node:crypto';
import { SealedTokens } from '../../src/identity/methods/oauth/tokens/sealed-tokens.js';
import { rowsOf } from './rows.js';
import type { World } from './world.js';

const random = (): string => randomBytes(32).toString('base64url');

/** Gives a user an account at a provider, with its sealed tokens. Returns the id of the credential. */
export async function addOauthAccount(
  world: World,
  userId: string,
  provider = 'github',
  accessToken = random(),
): Promise<string> {
  const { environmentId, test } = world;
  const tokens = { accessToken, refreshToken: null, expiresInSeconds: null, scope: null };
  const sealed = await test.app.get(SealedTokens).seal(environmentId, provider, tokens);
  const [credential] = await rowsOf<{ id: string }>(
    test,
    `INSERT INTO credentials (environment_id, id, user_id, format, oauth_provider, oauth_account_id, verified_at)
     VALUES ($1, gen_random_uuid(), $2, 'oauth', $4, $3, now()) RETURNING id`,
    [environmentId, userId, random(), provider],
  );
  await rowsOf(
    test,
    `INSERT INTO oauth_tokens (environment_id, id, credential_id, user_id, provider, sealed_tokens, master_key_id)
     VALUES ($1, $2, $3, $4, $7, $5, $6)`,
    [environmentId, sealed.id, credential!.id, userId, sealed.sealedTokens, sealed.masterKeyId, provider],
  );
  return credential!.id;
}
