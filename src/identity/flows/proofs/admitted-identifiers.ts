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
 * What becomes of one identifier. Only what the method has proven itself, or its issuer vouches for, counts: an address that a vendor merely states
 * may be anybody's, and a name at a provider passes from one person to another.
 */
export const decide = ({ strength }: ShownIdentifier, { canBeProven }: IdentifierKey): Decision =>
  strength !== 'stated' && canBeProven ? 'use' : 'drop';

/** The identifiers of a proof that count, in its order. @throws ApiError 422 `weak_proof` when none does */
export function admittedIdentifiers(shown: readonly ShownIdentifier[]): [AdmittedIdentifier, ...AdmittedIdentifier[]] {
  const [first, ...others] = shown
    .map((given) => ({ ...given, key: identifierKeyOf(given.identifier) }))
    .filter((given) => decide(given, given.key) === 'use');
  if (!first) throw weakProof();
  return [first, ...others];
}
