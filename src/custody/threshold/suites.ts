import type { FROST } from '@noble/curves/abstract/frost.js';
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js';
import { schnorr_FROST, secp256k1 } from '@noble/curves/secp256k1.js';

/** The curves of shared keys. */
export type Curve = 'ed25519' | 'secp256k1';

/** What the arithmetic needs of a point, whichever curve it is on. */
export interface GroupPoint {
  add(other: GroupPoint): GroupPoint;
  multiplyUnsafe(by: bigint): GroupPoint;
  is0(): boolean;
  isTorsionFree(): boolean;
  toHex(): string;
}

export interface Suite {
  readonly frost: FROST;
  readonly Point: { readonly ZERO: GroupPoint; fromHex(hex: string): GroupPoint };
}

/**
 * FROST(Ed25519, SHA-512) of RFC 9591, section 6.1; and FROST on secp256k1 with the signatures of BIP-340, whose key
 * generation gives the output key of BIP-341 that nothing but a signature spends from: it is tweaked with an empty root.
 */
const SUITES: Record<Curve, Suite> = {
  ed25519: { frost: ed25519_FROST, Point: ed25519.Point },
  secp256k1: { frost: schnorr_FROST, Point: secp256k1.Point },
};

const ED25519_DIGITS = 64;

export const suiteOf = (curve: Curve): Suite => SUITES[curve];

/** The curve that commitments are points of: those of Ed25519 have 32 bytes, those of secp256k1 33. */
export const curveOfPoints = ([first]: readonly string[]): Curve =>
  first!.length === ED25519_DIGITS ? 'ed25519' : 'secp256k1';

/** The number of a participant, as scalars of the curve are written. */
export const identifierOf = (curve: Curve, party: number): string => SUITES[curve].frost.Identifier.fromNumber(party);
