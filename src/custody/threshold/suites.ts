import type { FROST } from '@noble/curves/abstract/frost.js';
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js';
import { schnorr_FROST, secp256k1 } from '@noble/curves/secp256k1.js';

/** The curves of shared keys. */
export type Curve = 'ed25519' | 'secp256k1';

/** The point operations needed, on either curve. */
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
 * FROST(Ed25519, SHA-512) of RFC 9591, section 6.1; and FROST on secp256k1 with BIP-340 signatures, whose key
 * generation yields the BIP-341 output key, tweaked with an empty root so that only a signature can spend from it.
 */
const SUITES: Record<Curve, Suite> = {
  ed25519: { frost: ed25519_FROST, Point: ed25519.Point },
  secp256k1: { frost: schnorr_FROST, Point: secp256k1.Point },
};

const ED25519_DIGITS = 64;

export const suiteOf = (curve: Curve): Suite => SUITES[curve];

/** The curve of the commitments: points take 32 bytes on Ed25519, 33 on secp256k1. */
export const curveOfPoints = ([first]: readonly string[]): Curve =>
  first!.length === ED25519_DIGITS ? 'ed25519' : 'secp256k1';

/** A participant's number, encoded as a scalar of the curve. */
export const identifierOf = (curve: Curve, party: number): string => SUITES[curve].frost.Identifier.fromNumber(party);
