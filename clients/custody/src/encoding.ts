import { base64urlnopad, hex } from '@scure/base';

export const toHex = (bytes: Uint8Array): string => hex.encode(bytes);
export const fromHex = (text: string): Uint8Array => hex.decode(text);
export const toBase64url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes);
export const fromBase64url = (text: string): Uint8Array => base64urlnopad.decode(text);
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Copies a view: ciphers read the whole underlying buffer, including the view's surroundings. */
export function exactly(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
