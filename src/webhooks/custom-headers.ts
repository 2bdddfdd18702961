import { webhookHeaderRefused } from './webhook.errors.js';

/** A header field that a webhook adds to every request. */
export interface CustomHeader {
  name: string;
  value: string;
}

export const MAX_HEADERS = 10;
export const MAX_HEADER_NAME = 64;
export const MAX_HEADER_VALUE = 1024;

/** A token of RFC 9110 section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,64}$/;
/** A field value of RFC 9110 section 5.5 in ASCII: no control characters, so no line breaks, and no outer spaces. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]{0,1022}[\x21-\x7e])?$/;

/** Set only by the sender: the message itself, its framing (RFC 9110 section 7.6.1), and its destination. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['host', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'accept-encoding'],
  ...['connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'expect', 'http2-settings', 'user-agent', 'date'],
  ...['forwarded', 'via'],
]);
/** Signatures and proxy headers; receivers trust both. */
const RESERVED_BEGINNINGS = ['webhook-', 'x-webhook-', 'svix-', 'proxy-', 'x-forwarded-'];

const isReserved = (name: string): boolean =>
  RESERVED.has(name) || RESERVED_BEGINNINGS.some((beginning) => name.startsWith(beginning));

/** The fields with lower-case names. @throws webhook_header_refused, which never names a value */
export function checkHeaders(headers: readonly CustomHeader[]): CustomHeader[] {
  const seen = new Set<string>();
  return headers.map(({ name, value }) => {
    if (!NAME.test(name)) throw webhookHeaderRefused({ payload: { reason: 'name' } });
    const lower = name.toLowerCase();
    if (isReserved(lower)) throw webhookHeaderRefused({ payload: { name, reason: 'reserved' } });
    if (seen.has(lower)) throw webhookHeaderRefused({ payload: { name, reason: 'repeated' } });
    if (!VALUE.test(value)) throw webhookHeaderRefused({ payload: { name, reason: 'value' } });
    seen.add(lower);
    return { name: lower, value };
  });
}
