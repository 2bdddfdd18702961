import { createHash, createHmac } from 'node:crypto';

/** The value of `API-Sign`. https://docs.kraken.com/api/docs/guides/spot-rest-auth */
export function krakenSignature(secret: string, path: string, nonce: string, body: string): string {
  const digest = createHash('sha256').update(`${nonce}${body}`).digest();
  return createHmac('sha512', Buffer.from(secret, 'base64')).update(path).update(digest).digest('base64');
}
