import type { Credential } from '../credentials/credential.entity.js';
import { identifierKeyOf, type ClaimableIdentifier, type IdentifierKey } from '../credentials/identifier-key.js';
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
