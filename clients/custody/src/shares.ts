import type { FrostPublic } from '@noble/curves/abstract/frost.js';
import { ed25519_FROST } from '@noble/curves/ed25519.js';
import { fromHex, toHex } from './encoding.js';

/** FROST(Ed25519, SHA-512) of RFC 9591, section 6.1. */
export const frost = ed25519_FROST;

export const identifierOf = (party: number): string => frost.Identifier.fromNumber(party);

/** What the user keeps of a key: secret. Sealed by whoever stores it. */
export interface ShareSet {
  readonly walletId: string;
  readonly address: string;
  /** 1 where it is left out. Every refresh and reshare counts it up, and shares of different ones never combine. */
  readonly generation?: number;
  readonly publicShares: PublicShares;
  /** One for each of the user's participants, such as a device and a recovery. */
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

export function shownShares(shares: FrostPublic): PublicShares {
  const { min, max } = shares.signers;
  const verifyingShares = Array.from({ length: max }, (_, at) => toHex(shares.verifyingShares[identifierOf(at + 1)]!));
  return { min, max, commitments: shares.commitments.map((one) => toHex(one)), verifyingShares };
}

export const frostPublic = ({ min, max, commitments, verifyingShares }: PublicShares): FrostPublic =>
  ({
    signers: { min, max },
    commitments: commitments.map(fromHex),
    verifyingShares: Object.fromEntries(verifyingShares.map((share, at) => [identifierOf(at + 1), fromHex(share)])),
  }) as FrostPublic;

export const frostCommitments = (commitments: readonly NonceCommitment[]) =>
  commitments.map(({ id, hiding, binding }) => ({
    identifier: identifierOf(id),
    hiding: fromHex(hiding),
    binding: fromHex(binding),
  }));
