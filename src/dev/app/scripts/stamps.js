/* global btoa, crypto, TextEncoder */
import { hexOf } from './service.js';

// Requests signed by the session key (P-256), such as the one that deletes a wallet.
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' };

/** The ASN.1 form of an ECDSA signature (RFC 3279 §2.2.3); Web Crypto returns two numbers. */
function derOf(signature) {
  const integer = (bytes) => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const trimmed = [...bytes.slice(first)];
    const content = trimmed[0] > 0x7f ? [0, ...trimmed] : trimmed;
    return [0x02, content.length, ...content];
  };
  const content = [...integer(signature.slice(0, 32)), ...integer(signature.slice(32))];
  return [0x30, content.length, ...content];
}

export async function newStamper() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['sign']);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  const compressed = hexOf([point[64] & 1 ? 0x03 : 0x02, ...point.slice(1, 33)]);
  return {
    publicKey: compressed,
    async stamp(request) {
      const body = JSON.stringify(request);
      const parameters = { name: 'ECDSA', hash: 'SHA-256' };
      const signature = await crypto.subtle.sign(parameters, privateKey, new TextEncoder().encode(body));
      const value = {
        publicKey: compressed,
        scheme: 'SIGNATURE_SCHEME_TK_API_P256',
        signature: hexOf(derOf(new Uint8Array(signature))),
      };
      const stampHeaderValue = btoa(JSON.stringify(value))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
      return { body, stamp: { stampHeaderName: 'X-Stamp', stampHeaderValue }, url: 'https://example.com' };
    },
  };
}
