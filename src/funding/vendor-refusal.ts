import { VendorUnavailableError } from '../networks/index.js';

/** A vendor's refusal in its own words. `code` is its name for the reason; texts of vendors are shown to nobody. */
export class VendorRefusal extends Error {
  override readonly name = 'VendorRefusal';

  constructor(
    readonly vendor: string,
    readonly status: number,
    readonly code: string,
  ) {
    super(`${vendor} refused a call: ${status} ${code}`);
  }
}

/** After these a vendor may have done what it was asked for (RFC 9110: a time-out, a conflict; RFC 8470: too early). */
export const isUndecided = (status: number): boolean => status === 408 || status === 409 || status === 425;

/** Names of reasons are short words; whatever else stands in their place is not repeated. */
export const reasonIn = (value: unknown): string =>
  typeof value === 'string' && /^[\w.: -]{1,100}$/.test(value) ? value : 'unknown';

/** Reads a JSON body; empty where it is none. */
export function bodyOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const listOf = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordOf) : [];

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** An amount that a vendor writes in digits. @throws VendorUnavailableError */
export function amountIn(vendor: string, value: unknown): number {
  const amount = typeof value === 'string' && value.trim() === '' ? NaN : Number(value ?? NaN);
  if (!Number.isFinite(amount)) throw new VendorUnavailableError(vendor, 'garbage');
  return amount;
}
