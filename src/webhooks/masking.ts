/** Maximum size of a stored request or response body, as UTF-8. */
export const MAX_STORED_BODY_BYTES = 20_000;
export const MASK = '[masked]';

/** Header fields that always contain credentials. */
const SECRET_HEADERS: readonly string[] = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Header fields in a form that may be stored and shown: secret values replaced whole (even a visible scheme or length
 * reveals something), names in lower case, text that PostgreSQL accepts.
 * @param secretNames further names to mask, case-insensitive
 */
export function maskHeaders(headers: HeaderFields, secretNames: readonly string[] = []): Record<string, string> {
  const secret = new Set([...SECRET_HEADERS, ...secretNames.map((name) => name.toLowerCase())]);
  const stored: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    const text = typeof value === 'string' ? value : value.join(', ');
    stored.push([storable(lower), secret.has(lower) ? MASK : storable(text)]);
  }
  // fromEntries defines properties, so a field called `__proto__` stays a field.
  return Object.fromEntries(stored);
}

/**
 * The start of a body as text of at most `limit` UTF-8 bytes. Bytes that are not UTF-8 become U+FFFD, a character cut
 * by the limit is dropped, and NUL is removed, since PostgreSQL rejects it in text and jsonb.
 */
export function clipBody(body: Buffer | string, limit: number = MAX_STORED_BODY_BYTES): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const text = decodeStart(bytes, limit).replaceAll('\0', '');
  // Each invalid byte grows to the three of U+FFFD, so the result may need a second cut.
  return Buffer.byteLength(text) <= limit ? text : decodeStart(Buffer.from(text), limit);
}

function decodeStart(bytes: Buffer, limit: number): string {
  const clipped = bytes.length > limit;
  // In stream mode an incomplete character at the end is held back instead of replaced.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limit), { stream: clipped });
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
