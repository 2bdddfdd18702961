import type { FROST, FrostPublic } from '@noble/curves/abstract/frost.js';
import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js';
import { schnorr_FROST, secp256k1 } from '@noble/curves/secp256k1.js';
import { fromHex, toHex } from './encoding.js';

export type Curve = 'ed25519' | 'secp256k1';

/** The point operations needed, independent of the curve. */
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

/** FROST(Ed25519, SHA-512) of RFC 9591, section 6.1; and on secp256k1 with BIP-340, for output keys of BIP-341. */
const SUITES: Record<Curve, Suite> = {
  ed25519: { frost: ed25519_FROST, Point: ed25519.Point },
  secp256k1: { frost: schnorr_FROST, Point: secp256k1.Point },
};

export const suiteOf = (curve: Curve): Suite => SUITES[curve];

/** Ed25519 points have 32 bytes, secp256k1 points 33. */
export const curveOfPoints = ([first]: readonly string[]): Curve => (first!.length === 64 ? 'ed25519' : 'secp256k1');

export const identifierOf = (curve: Curve, party: number): string => SUITES[curve].frost.Identifier.fromNumber(party);

/** The user's secret shares of a key. The caller must store them encrypted. */
export interface ShareSet {
  readonly walletId: string;
  readonly address: string;
  /** Defaults to 1. Incremented by each refresh and reshare; shares of different generations never combine. */
  readonly generation?: number;
  readonly publicShares: PublicShares;
  /** One per participant of the user, such as a device and a recovery. */
  readonly secrets: readonly { readonly id: number; readonly share: string }[];
}

export const generationOf = ({ generation = 1 }: Pick<ShareSet, 'generation'>): number => generation;

export interface PublicShares {
  readonly min: number;
  readonly max: number;
  readonly commitments: readonly string[];
  readonly verifyingShares: readonly string[];
}

export interface NonceCommitment {
  readonly id: number;
  readonly hiding: string;
  readonly binding: string;
}

export function shownShares(curve: Curve, shares: FrostPublic): PublicShares {
  const { min, max } = shares.signers;
  const verifyingShares = Array.from({ length: max }, (_, at) =>
    toHex(shares.verifyingShares[identifierOf(curve, at + 1)]!),
  );
  return { min, max, commitments: shares.commitments.map((one) => toHex(one)), verifyingShares };
}

export function frostPublic({ min, max, commitments, verifyingShares }: PublicShares): FrostPublic {
  const curve = curveOfPoints(commitments);
  const shares = verifyingShares.map((share, at) => [identifierOf(curve, at + 1), fromHex(share)] as const);
  return {
    signers: { min, max },
    commitments: commitments.map(fromHex),
    verifyingShares: Object.fromEntries(shares),
  } as FrostPublic;
}

export const frostCommitments = (curve: Curve, commitments: readonly NonceCommitment[]) =>
  commitments.map(({ id, hiding, binding }) => ({
    identifier: identifierOf(curve, id),
    hiding: fromHex(hiding),
    binding: fromHex(binding),
  }));
