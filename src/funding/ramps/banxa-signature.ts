import { createHmac } from 'node:crypto';

export interface BanxaCall {
  method: 'GET' | 'POST';
  /** Including the query. */
  path: string;
  /** JSON without white space; empty for GET. */
  body?: string;
}

/** The value after `Bearer`: key, HMAC-SHA256 and nonce. https://docs.banxa.com/docs/step-3-authentication */
export function banxaToken(apiKey: string, secret: string, { method, path, body }: BanxaCall, nonce: number): string {
  const signed = [method, path, String(nonce), ...(body ? [body] : [])].join('\n');
  return `${apiKey}:${createHmac('sha256', secret).update(signed).digest('hex')}:${nonce}`;
}
