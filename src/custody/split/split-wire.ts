import { CeremonyFault } from '../threshold/ceremony-fault.js';
import { isText, list, ofType, party, text } from '../threshold/wire.js';
import type { RecoverableSignature } from '../derivation/secp256k1-key.js';

/** A share of the dealer's polynomial for one of the service's participants, sealed with HPKE. */
export interface DealtShare {
  readonly to: number;
  /** Base64url. */
  readonly enc: string;
  readonly ciphertext: string;
}

/** What the device that generated a key deals. */
export interface SplitDeal {
  /** Compressed points, hexadecimal. */
  readonly commitments: readonly string[];
  readonly shares: readonly DealtShare[];
  /** By the whole key, over the proof text. */
  readonly signature: RecoverableSignature;
}

const POINT = /^0[23][0-9a-f]{64}$/;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const BASE64URL = /^[A-Za-z0-9_-]{1,128}$/;
const SIGNATURE = /^0x[0-9a-f]{128}(?:1b|1c)$/;

/** @throws CeremonyFault */
export function parseSplitDeal(message: Readonly<Record<string, unknown>>): SplitDeal {
  const fields = ofType(message, 'split.deal', ['commitments', 'shares', 'signature']);
  return {
    commitments: list(fields['commitments'], 'commitments', isText).map((one) => text(one, POINT, 'commitments')),
    shares: list(fields['shares'], 'shares').map((one) => ({
      to: party(one['to']),
      enc: text(one['enc'], BASE64URL, 'enc'),
      ciphertext: text(one['ciphertext'], BASE64URL, 'ciphertext'),
    })),
    signature: signatureOf(fields['signature']),
  };
}

/** The public key that the service's shares are to be sealed to. @throws CeremonyFault */
export function parseSplitKey(message: Readonly<Record<string, unknown>>): { readonly keygenId: string } {
  const { keygenId } = ofType(message, 'split.key', ['keygenId']);
  return { keygenId: text(keygenId, BASE58, 'keygenId') };
}

/** @throws CeremonyFault */
export function parseSplitSignature(message: Readonly<Record<string, unknown>>): RecoverableSignature {
  return signatureOf(ofType(message, 'split.signature', ['signature'])['signature']);
}

/** `r | s | v`, in the usual wallet encoding. */
function signatureOf(value: unknown): RecoverableSignature {
  if (!isText(value) || !SIGNATURE.test(value)) throw new CeremonyFault('signature has another form');
  const bytes = Buffer.from(value.slice(2), 'hex');
  return { signature: bytes.subarray(0, 64), recoveryId: bytes[64] === 27 ? 0 : 1 };
}
