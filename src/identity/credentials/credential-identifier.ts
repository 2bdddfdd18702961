import type { Credential } from './credential.entity.js';
import { identifierKeyOf, type ClaimableIdentifier, type IdentifierKey } from './identifier-key.js';
import type { VerifiedCredential } from './verified-credential.dto.js';
import { chainOf } from '../vocabulary/chains.js';

type Stored = Pick<
  Credential,
  | 'format'
  | 'email'
  | 'publicIdentifier'
  | 'address'
  | 'chain'
  | 'oauthProvider'
  | 'oauthAccountId'
  | 'oauthConnectionId'
>;

/** The claim key of a stored credential; null if it cannot be derived, as for a subject without its issuer. */
export function keyOfCredential(credential: Stored): IdentifierKey | null {
  const given = identifierOf(credential);
  try {
    return given && identifierKeyOf(given);
  } catch {
    // An API call may have stored an invalid identifier.
    return null;
  }
}

/** The same for a credential of a user as read for the API. */
export const keyOfVerified = (own: VerifiedCredential): IdentifierKey | null =>
  keyOfCredential({
    format: own.format,
    email: own.email ?? null,
    publicIdentifier: own.public_identifier ?? null,
    address: own.address ?? null,
    chain: own.chain ?? null,
    oauthProvider: own.oauth_provider ?? null,
    oauthAccountId: own.oauth_account_id ?? null,
    oauthConnectionId: own.oauth_connection_id ?? null,
  });

function identifierOf(stored: Stored): ClaimableIdentifier | null {
  const { format, email, publicIdentifier, address, chain, oauthProvider, oauthAccountId, oauthConnectionId } = stored;
  switch (format) {
    case 'email':
      return email === null ? null : { kind: 'email', value: email };
    case 'phoneNumber':
    case 'passkey':
      return publicIdentifier === null ? null : { kind: format, value: publicIdentifier };
    case 'blockchain': {
      const known = chain === null ? null : chainOf(chain);
      return known && address !== null ? { kind: 'wallet', value: address, chain: known } : null;
    }
    case 'oauth':
      if (oauthProvider === null || oauthAccountId === null) return null;
      return {
        kind: 'socialAccountId',
        value: oauthAccountId,
        provider: oauthProvider,
        ...(oauthConnectionId !== null && { connection: oauthConnectionId }),
      };
    case 'externalUser':
      return null;
  }
}
