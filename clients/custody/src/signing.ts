import { fromHex, toHex } from './encoding.js';
import {
  curveOfPoints,
  frostCommitments,
  frostPublic,
  identifierOf,
  suiteOf,
  type NonceCommitment,
  type ShareSet,
} from './shares.js';

/**
 * Both rounds of the user's participants at once (RFC 9591, sections 5.1 and 5.2), as the service has committed first.
 * Nonces never leave this function.
 *
 * @param participants the user's signing participants; by default only the first
 */
export function signingShares(
  { publicShares, secrets }: Pick<ShareSet, 'publicShares' | 'secrets'>,
  theirs: readonly NonceCommitment[],
  message: Uint8Array,
  participants: readonly number[] = secrets.map(({ id }) => id),
): { type: 'sign.shares'; commitments: NonceCommitment[]; shares: { id: number; share: string }[] } {
  const curve = curveOfPoints(publicShares.commitments);
  const { frost } = suiteOf(curve);
  const signers = secrets
    .filter(({ id }) => participants.includes(id))
    .map(({ id, share }) => {
      const secret = { identifier: identifierOf(curve, id), signingShare: fromHex(share) };
      return { id, secret, ...frost.commit(secret) };
    });
  const own = signers.map(({ id, commitments }) => ({
    id,
    hiding: toHex(commitments.hiding),
    binding: toHex(commitments.binding),
  }));
  const all = frostCommitments(curve, [...own, ...theirs]);
  const group = frostPublic(publicShares);
  const shares = signers.map(({ id, secret, nonces }) => ({
    id,
    share: toHex(frost.signShare(secret, group, nonces, all, message)),
  }));
  return { type: 'sign.shares', commitments: own, shares };
}

/**
 * Aggregates the signature locally from all shares, so that nothing the service reports has to be trusted.
 *
 * @throws Error when a share of the service is invalid
 */
export function verifyOutcome(
  { publicShares }: Pick<ShareSet, 'publicShares'>,
  theirs: readonly NonceCommitment[],
  message: Uint8Array,
  own: ReturnType<typeof signingShares>,
  shares: readonly { readonly id: number; readonly share: string }[],
): Uint8Array {
  const curve = curveOfPoints(publicShares.commitments);
  const group = frostPublic(publicShares);
  const commitments = frostCommitments(curve, [...own.commitments, ...theirs]);
  const all = [...own.shares, ...shares].map(({ id, share }) => [identifierOf(curve, id), fromHex(share)] as const);
  return suiteOf(curve).frost.aggregate(group, commitments, message, Object.fromEntries(all));
}
