import { secp256k1 } from '@noble/curves/secp256k1.js';
import { compressPublicKey, secp256k1PublicKey } from '../derivation/secp256k1-key.js';
import { CeremonyFault } from '../threshold/ceremony-fault.js';
import type { PublicShares } from '../threshold/frost.js';
import { partiesOf, type ShareScheme } from '../threshold/schemes.js';

const { Point } = secp256k1;

type CurvePoint = InstanceType<typeof Point>;

/**
 * The public data of a secp256k1 key that was split by a polynomial over the order of the curve (Shamir, "How to share
 * a secret"), from the commitments to its coefficients (Feldman): the first is the public key. All inputs are public,
 * so the timing reveals nothing.
 *
 * @throws CeremonyFault
 */
export function publicSharesOf(scheme: ShareScheme, commitments: readonly string[]): PublicShares {
  const { min, max } = partiesOf(scheme);
  if (commitments.length !== min) throw new CeremonyFault('there are commitments to another number of coefficients');
  const points = commitments.map(pointOf);
  const verifyingShares = Array.from({ length: max }, (_, at) => {
    const share = valueAt(points, at + 1);
    if (share.is0()) throw new CeremonyFault(`the share of participant ${at + 1} is none`, at + 1);
    return share.toHex();
  });
  return { min, max, commitments, verifyingShares };
}

/** Whether 32 bytes are the participant's share. */
export function isShareOf({ verifyingShares }: PublicShares, party: number, share: Uint8Array): boolean {
  try {
    return compressPublicKey(secp256k1PublicKey(share)).toString('hex') === verifyingShares[party - 1];
  } catch {
    // Not a scalar from 1 to n - 1.
    return false;
  }
}

/** By Horner's rule. */
const valueAt = (points: readonly CurvePoint[], at: number): CurvePoint =>
  points.reduceRight((sum, point) => sum.multiplyUnsafe(BigInt(at)).add(point), Point.ZERO);

function pointOf(hex: string): CurvePoint {
  try {
    return Point.fromHex(hex);
  } catch {
    throw new CeremonyFault('a commitment is no point of the curve');
  }
}
