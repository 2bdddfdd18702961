import { ambiguousIdentifier } from '../../credentials/identifier.errors.js';
import type { Claim } from '../../credentials/identifier-claims.repository.js';
import type { ShownIdentifier } from './proof.js';

/** An identifier that counts, and its known owners. */
export interface HeldIdentifier {
  strength: ShownIdentifier['strength'];
  claim: Pick<Claim, 'userId' | 'isProven' | 'candidates'> | null;
}

/** Which identifier determines the user, and which others become theirs, both as indexes into the list. */
export interface Resolution {
  main: number;
  others: number[];
}

const ownersOf = ({ claim }: HeldIdentifier): string[] => [
  ...new Set([...(claim?.userId ? [claim.userId] : []), ...(claim?.candidates ?? [])]),
];

/**
 * Resolves the user of a proof. Proven identifiers decide: the first one with a known user wins, and the service never
 * picks between two users. If none of them is known, a vouched identifier may find the user. Next to a known user it
 * takes nothing from others: an address can change hands, and the account it once belonged to stays its owner's.
 *
 * @throws ApiError 422 `ambiguous_identifier`
 */
export function resolveProof(shown: readonly HeldIdentifier[]): Resolution {
  const owners = shown.map(ownersOf);
  const at = (strength: ShownIdentifier['strength']): number =>
    shown.findIndex((one, place) => one.strength === strength && owners[place]!.length > 0);
  const proven = shown.flatMap(({ strength }, place) => (strength === 'proven' ? owners[place]! : []));
  if (shown.filter(({ strength }) => strength === 'proven').length > 1 && new Set(proven).size > 1) {
    throw ambiguousIdentifier();
  }
  const known = at('proven');
  const main = known >= 0 ? known : Math.max(0, at('vouched'));
  const [user] = owners[main]!;
  const isTheirs = (place: number): boolean => owners[place]!.every((owner) => owner === user);
  const isSettled = ({ strength, claim }: HeldIdentifier): boolean =>
    strength === 'vouched' && claim?.isProven === true;
  const others = shown.flatMap((one, place) => {
    if (place === main) return [];
    return one.strength === 'proven' || (isTheirs(place) && !isSettled(one)) ? [place] : [];
  });
  return { main, others };
}
