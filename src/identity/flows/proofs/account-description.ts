import { isDeepStrictEqual } from 'node:util';
import type { AccountDescription } from '../../credentials/credentials.repository.js';
import type { NewCredential } from '../../credentials/new-credential.js';
import type { VerifiedCredential } from '../../credentials/verified-credential.dto.js';

/** The stored details of a social account. */
const storedOf = (stored: VerifiedCredential): AccountDescription => ({
  oauthUsername: stored.oauth_username ?? null,
  oauthDisplayName: stored.oauth_display_name ?? null,
  oauthEmails: stored.oauth_emails ?? null,
  oauthAccountPhotos: stored.oauth_account_photos ?? null,
});

/** The new account details, if a proof differs from what is stored; null otherwise. */
export function newDescription(
  stored: VerifiedCredential,
  shown: Partial<NewCredential> | undefined,
): AccountDescription | null {
  if (stored.format !== 'oauth' || shown === undefined) return null;
  const before = storedOf(stored);
  const after = { ...before };
  if (shown.oauthUsername !== undefined) after.oauthUsername = shown.oauthUsername;
  if (shown.oauthDisplayName !== undefined) after.oauthDisplayName = shown.oauthDisplayName;
  if (shown.oauthEmails !== undefined) after.oauthEmails = shown.oauthEmails;
  if (shown.oauthAccountPhotos !== undefined) after.oauthAccountPhotos = shown.oauthAccountPhotos;
  return isDeepStrictEqual(before, after) ? null : after;
}
