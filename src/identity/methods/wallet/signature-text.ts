import { base58, base64 } from '@scure/base';

const HEX = /^(?:0x)?((?:[0-9a-fA-F]{2})+)$/;

function decoded(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** The bytes of a base64 text (RFC 4648 §4), padded; null when it is not base64. */
export const fromBase64 = (text: string): Uint8Array | null => decoded(() => base64.decode(text));

/** The bytes of a base58 text; null when it is not base58. */
export const fromBase58 = (text: string): Uint8Array | null => decoded(() => base58.decode(text));

const fromHex = (text: string): Uint8Array | null => {
  const [, digits] = HEX.exec(text) ?? [];
  return digits === undefined ? null : Buffer.from(digits, 'hex');
};

/** A signature of 64 bytes in any of the ways in which wallets of Solana give it: base64, base58 or hex. */
export function readSignature64(text: string): Uint8Array | null {
  // Decoding base58 takes time that grows with the square of the length.
  if (text.length > 130) return null;
  return [fromHex, fromBase64, fromBase58].map((read) => read(text)).find((bytes) => bytes?.length === 64) ?? null;
}
