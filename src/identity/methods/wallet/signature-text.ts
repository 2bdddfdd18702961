import { base58, base64 } from '@scure/base';

const HEX = /^(?:0x)?((?:[0-9a-fA-F]{2})+)$/;

function decoded(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** Decodes base64 (RFC 4648 §4), padded; null if invalid. */
export const fromBase64 = (text: string): Uint8Array | null => decoded(() => base64.decode(text));

/** Decodes base58; null if invalid. */
export const fromBase58 = (text: string): Uint8Array | null => decoded(() => base58.decode(text));

const fromHex = (text: string): Uint8Array | null => {
  const [, digits] = HEX.exec(text) ?? [];
  return digits === undefined ? null : Buffer.from(digits, 'hex');
};

/** A 64-byte signature in any encoding Solana wallets use: base64, base58 or hex. */
export function readSignature64(text: string): Uint8Array | null {
  // Base58 decoding takes quadratic time.
  if (text.length > 130) return null;
  return [fromHex, fromBase64, fromBase58].map((read) => read(text)).find((bytes) => bytes?.length === 64) ?? null;
}
