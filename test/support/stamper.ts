import { generateKeyPairSync, sign } from 'node:crypto';

export interface Stamped {
  body: string;
  stamp: { stampHeaderName: string; stampHeaderValue: string };
  url: string;
}

/** The client's side of a session key. */
export interface Stamper {
  /** Compressed P-256, hexadecimal. */
  readonly publicKey: string;
  stamp(request: unknown): Stamped;
}

export function newStamper(): Stamper {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const isOdd = Buffer.from(y, 'base64url').at(-1)! & 1;
  const compressed = Buffer.concat([Buffer.of(2 + isOdd), Buffer.from(x, 'base64url')]).toString('hex');
  return {
    publicKey: compressed,
    stamp: (request) => {
      const body = typeof request === 'string' ? request : JSON.stringify(request);
      const signature = sign('sha256', Buffer.from(body), privateKey).toString('hex');
      const value = { publicKey: compressed, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature };
      const stampHeaderValue = Buffer.from(JSON.stringify(value)).toString('base64url');
      return { body, stamp: { stampHeaderName: 'X-Stamp', stampHeaderValue }, url: 'https://example.com' };
    },
  };
}
