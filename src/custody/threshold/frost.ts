import type { FrostPublic } from '@noble/curves/abstract/frost.js';
import { CeremonyFault } from './ceremony-fault.js';
import { curveOfPoints, identifierOf, suiteOf, type Curve } from './suites.js';
import type { NonceCommitment, SigningShares } from './wire.js';

export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The public data of a key: how to verify the shares of each participant. As stored, for either curve. */
export interface PublicShares {
  readonly min: number;
  readonly max: number;
  /** To the coefficients of the polynomial, which nobody knows; the first is the public key. */
  readonly commitments: readonly string[];
  /** By participant, counted from 1. */
  readonly verifyingShares: readonly string[];
}

/** The secret of one participant. */
export interface SecretShare {
  readonly id: number;
  readonly share: string;
}

/** Nonces of one participant, and the commitments published for them. */
export interface OpenNonces {
  readonly id: number;
  readonly hiding: string;
  readonly binding: string;
}

/** 32 bytes for Ed25519, or 33 for secp256k1. */
export const publicKeyOf = ({ commitments }: PublicShares): Buffer => Buffer.from(commitments[0]!, 'hex');

export function shownShares(curve: Curve, shares: FrostPublic): PublicShares {
  const { min, max } = shares.signers;
  const verifyingShares = Array.from({ length: max }, (_, at) =>
    hexOf(shares.verifyingShares[identifierOf(curve, at + 1)]!),
  );
  return { min, max, commitments: shares.commitments.map(hexOf), verifyingShares };
}

const frostPublic = (curve: Curve, { min, max, commitments, verifyingShares }: PublicShares): FrostPublic =>
  ({
    signers: { min, max },
    commitments: commitments.map(bytesOf),
    verifyingShares: Object.fromEntries(
      verifyingShares.map((share, at) => [identifierOf(curve, at + 1), bytesOf(share)]),
    ),
  }) as FrostPublic;

const frostCommitments = (curve: Curve, commitments: readonly NonceCommitment[]) =>
  commitments.map(({ id, hiding, binding }) => ({
    identifier: identifierOf(curve, id),
    hiding: bytesOf(hiding),
    binding: bytesOf(binding),
  }));

const secretOf = (curve: Curve, { id, share }: SecretShare) => ({
  identifier: identifierOf(curve, id),
  signingShare: bytesOf(share),
});

/** Round one of RFC 9591, section 5.1, for each of the participants. */
export function commitNonces(
  curve: Curve,
  secrets: readonly SecretShare[],
): {
  nonces: OpenNonces[];
  commitments: NonceCommitment[];
} {
  const { frost } = suiteOf(curve);
  const all = secrets.map((secret) => ({ id: secret.id, ...frost.commit(secretOf(curve, secret)) }));
  return {
    nonces: all.map(({ id, nonces }) => ({ id, hiding: hexOf(nonces.hiding), binding: hexOf(nonces.binding) })),
    commitments: all.map(({ id, commitments }) => ({
      id,
      hiding: hexOf(commitments.hiding),
      binding: hexOf(commitments.binding),
    })),
  };
}

/** One side of a signature. */
export interface SigningSide {
  readonly shares: PublicShares;
  readonly secrets: readonly SecretShare[];
  readonly nonces: readonly OpenNonces[];
  readonly commitments: readonly NonceCommitment[];
}

/**
 * Round two and the aggregation (RFC 9591, sections 5.2 to 5.4). The others' signature shares are verified one by one
 * before this side computes its own.
 *
 * @throws CeremonyFault naming the participant whose share is invalid
 */
export function completeSignature(
  { shares, secrets, nonces, commitments: own }: SigningSide,
  { commitments: theirs, shares: sent }: SigningShares,
  message: Uint8Array,
): { shares: { id: number; share: string }[]; signature: Buffer } {
  assertSigners(shares, own, theirs, sent);
  const curve = curveOfPoints(shares.commitments);
  const { frost } = suiteOf(curve);
  const group = frostPublic(curve, shares);
  const commitments = frostCommitments(curve, [...theirs, ...own]);
  const all: Record<string, Uint8Array> = {};
  for (const { id, share } of sent) {
    const bytes = bytesOf(share);
    if (!verifies(() => frost.verifyShare(group, commitments, message, identifierOf(curve, id), bytes)))
      throw new CeremonyFault(`the share of participant ${id} is not one of this key and message`, id);
    all[identifierOf(curve, id)] = bytes;
  }
  const made = secrets.map((secret) => {
    const { hiding, binding } = nonces.find(({ id }) => id === secret.id)!;
    const fresh = { hiding: bytesOf(hiding), binding: bytesOf(binding) };
    const share = frost.signShare(secretOf(curve, secret), group, fresh, commitments, message);
    all[identifierOf(curve, secret.id)] = share;
    return { id: secret.id, share: hexOf(share) };
  });
  const signature = Buffer.from(frost.aggregate(group, commitments, message, all));
  return { shares: made, signature };
}

function assertSigners(
  { min, max }: PublicShares,
  own: readonly NonceCommitment[],
  theirs: readonly NonceCommitment[],
  sent: SigningShares['shares'],
): void {
  const ids = theirs.map(({ id }) => id);
  const mine = own.map(({ id }) => id);
  const isWhole =
    new Set(ids).size === ids.length &&
    ids.every((id) => id <= max && !mine.includes(id)) &&
    ids.length + mine.length >= min &&
    sent.length === ids.length &&
    ids.every((id) => sent.some((one) => one.id === id));
  if (!isWhole) throw new CeremonyFault('each participant sends one commitment and one share, and enough of them do');
}

/** Invalid points and scalars throw. */
function verifies(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
