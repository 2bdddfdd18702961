import { isStorable } from '../common/storable-text.js';
import { VendorUnavailableError } from '../networks/index.js';

/** A vendor's refusal. `code` is its name for the reason; vendors' messages are shown to nobody. */
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

/** Statuses after which a vendor may have processed the request (RFC 9110: timeout, conflict; RFC 8470: too early). */
export const isUndecided = (status: number): boolean => status === 408 || status === 409 || status === 425;

/** Reason codes are short words; anything else is not repeated. */
export const reasonIn = (value: unknown): string =>
  typeof value === 'string' && /^[\w.: -]{1,100}$/.test(value) ? value : 'unknown';

/** Parses a JSON body; empty if it is not a JSON object. */
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

/** The entries of a list; anything else would pass for an empty one. @throws VendorUnavailableError */
export function listIn(vendor: string, value: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) throw new VendorUnavailableError(vendor, 'garbage');
  return listOf(value);
}

/** Null also for text that cannot be stored, such as the name of a payout. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && isStorable(value) ? value : null;

/** Longer names could not be indexed, and a payout whose name cannot be stored could not be found again. */
const MAX_NAME = 255;

/** What a vendor calls an account, a transaction or a state. */
export function nameOf(value: unknown): string | null {
  const name = textOf(value);
  return name !== null && name.length <= MAX_NAME ? name : null;
}

/** A number that a vendor writes as a number or text. */
export function numberOf(value: unknown): number | null {
  const isWritten = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  return isWritten && Number.isFinite(Number(value)) ? Number(value) : null;
}

/** @throws VendorUnavailableError */
export function amountIn(vendor: string, value: unknown): number {
  const amount = numberOf(value);
  if (amount === null) throw new VendorUnavailableError(vendor, 'garbage');
  return amount;
}
