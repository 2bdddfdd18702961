import { openOffer, sealTo } from '../../vault/index.js';
import { CeremonyFault } from './ceremony-fault.js';
import { bytesOf } from './frost.js';
import { identifierOf, suiteOf, type Curve } from './suites.js';
import type { SealedShare } from './wire.js';

/** A ceremony in which participants deal shares of polynomials to each other. */
export interface Exchange {
  /** The kind of ceremony, and the version of its messages. */
  readonly label: 'keygen/v1' | 'reshare/v1';
  readonly curve: Curve;
  readonly environmentId: string;
  readonly roomId: string;
  /** X25519 public keys, one for each of the user's participants, in order. */
  readonly clientKeys: readonly Uint8Array[];
}

/** A dealer, with the commitments to the coefficients of its polynomial. */
export interface Dealer {
  readonly id: number;
  readonly commitment: readonly string[];
}

/** A share must lie on the polynomial that its dealer committed to. @throws CeremonyFault naming the dealer */
export function assertSubShare(curve: Curve, signingShare: Uint8Array, { id, commitment }: Dealer, to: number): void {
  const { length: min } = commitment;
  const shown = { signers: { min, max: Math.max(min, to) }, commitments: commitment.map(bytesOf), verifyingShares: {} };
  try {
    suiteOf(curve).frost.validateSecret({ identifier: identifierOf(curve, to), signingShare }, shown);
  } catch {
    throw new CeremonyFault(`the share of participant ${id} is not on its polynomial`, id);
  }
}

/** What a sealed share is bound to: one sealed for another ceremony, room or participant does not open. */
const infoOf = ({ label, environmentId, roomId }: Exchange, from: number, to: number): Buffer =>
  Buffer.from([label, environmentId, roomId, from, to].join('|'));

const commitmentBytes = (commitment: readonly string[]): Buffer => Buffer.from(commitment.join(''), 'hex');

export async function sealSubShare(
  exchange: Exchange,
  { from, to, commitment }: { from: number; to: number; commitment: readonly string[] },
  share: Uint8Array,
): Promise<SealedShare> {
  const publicKey = exchange.clientKeys[to - 1]!;
  const recipient = { kem: 'X25519', publicKey, info: infoOf(exchange, from, to) } as const;
  const { enc, ciphertext } = await sealTo(recipient, share, commitmentBytes(commitment));
  return { from, to, enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url') };
}

/** @throws CeremonyFault naming the dealer */
export async function openSubShare(
  exchange: Exchange,
  { from, to }: { from: Dealer; to: number },
  sent: readonly SealedShare[],
  receiver: Uint8Array,
): Promise<Uint8Array> {
  const sealed = sent.find((one) => one.from === from.id && one.to === to);
  if (!sealed) throw new CeremonyFault(`participant ${from.id} sends no share to participant ${to}`, from.id);
  const message = {
    enc: Buffer.from(sealed.enc, 'base64url'),
    ciphertext: Buffer.from(sealed.ciphertext, 'base64url'),
  };
  const aad = commitmentBytes(from.commitment);
  const opened = await openOffer(receiver, message, { info: infoOf(exchange, from.id, to), aad });
  if (opened?.length !== 32)
    throw new CeremonyFault(`the share of participant ${from.id} was not sealed for this room`, from.id);
  return Uint8Array.from(opened);
}
