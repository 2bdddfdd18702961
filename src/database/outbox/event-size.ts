/** The largest body sent to a receiver, in bytes. */
const MAX_BODY_BYTES = 256 * 1024;
/** Bytes of a body besides the data: ids, names, the time, and the user's external id. */
const ENVELOPE_BYTES = 2048;
export const MAX_DATA_BYTES = MAX_BODY_BYTES - ENVELOPE_BYTES;

/** A number's shortest JSON may grow 47-fold when stored with all its digits (5e-324); shorter text stays below. */
const SURELY_SMALL = Math.floor(MAX_DATA_BYTES / 50);

/** Whether an event's data, given as JSON, exceeds what a message may carry. */
export const isTooLarge = (json: string): boolean =>
  json.length > SURELY_SMALL && storedBytes(JSON.parse(json)) > MAX_DATA_BYTES;

/** Bytes of a JSON value as PostgreSQL prints a `jsonb`: a space after each colon and comma, no exponents. */
export function storedBytes(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce((sum: number, item) => sum + storedBytes(item), listBytes(value.length));
  if (value === null || typeof value !== 'object') {
    return typeof value === 'number' ? numberBytes(value) : Buffer.byteLength(JSON.stringify(value));
  }
  const entries = Object.entries(value);
  return entries.reduce(
    (sum, [key, item]) => sum + Buffer.byteLength(JSON.stringify(key)) + 2 + storedBytes(item),
    listBytes(entries.length),
  );
}

/** Brackets, and a comma and a space between items. */
const listBytes = (items: number): number => 2 + 2 * Math.max(0, items - 1);

function numberBytes(value: number): number {
  const [mantissa = '', exponent] = String(Math.abs(value)).split('e');
  const sign = value < 0 ? 1 : 0;
  if (exponent === undefined) return sign + mantissa.length;
  const digits = mantissa.replace('.', '').length;
  return sign + (Number(exponent) > 0 ? Number(exponent) + 1 : 1 - Number(exponent) + digits);
}
