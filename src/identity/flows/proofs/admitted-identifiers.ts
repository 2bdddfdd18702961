import { identifierKeyOf, type IdentifierKey } from '../../credentials/identifier-key.js';
import type { NewCredential } from '../../credentials/new-credential.js';
import { weakProof } from '../flow.errors.js';
import type { ShownIdentifier } from './proof.js';

/** An identifier that may find or claim a user. */
export interface AdmittedIdentifier extends ShownIdentifier {
  key: IdentifierKey;
  credential?: Partial<NewCredential>;
}

export type Decision = 'use' | 'drop';

/**
 * What happens to an identifier. Only those proven by the method or vouched for by their issuer count: a stated address
 * may be anybody's, and provider usernames change hands.
 */
export const decide = ({ strength }: ShownIdentifier, { canBeProven }: IdentifierKey): Decision =>
  strength !== 'stated' && canBeProven ? 'use' : 'drop';

/** The identifiers of a proof that count, in its order. @throws ApiError 422 `weak_proof` if none does */
export function admittedIdentifiers(shown: readonly ShownIdentifier[]): [AdmittedIdentifier, ...AdmittedIdentifier[]] {
  const [first, ...others] = shown
    .map((given) => ({ ...given, key: identifierKeyOf(given.identifier) }))
    .filter((given) => decide(given, given.key) === 'use');
  if (!first) throw weakProof();
  return [first, ...others];
}
