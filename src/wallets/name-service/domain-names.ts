import { hexToBytes, type Hex } from 'viem';

/** Letters, digits and hyphens, as in host names (RFC 1123): the subset of ENSIP-15 names without lookalikes. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Labels decoded to other characters elsewhere, or reserved for that (RFC 5891, section 4.2.3.1). */
const TAGGED = /^..--/;
const MAX_LENGTH = 255;

const isLabel = (text: string): boolean => LABEL.test(text) && !TAGGED.test(text);

/** A normalised domain; null for an invalid one. */
export function domainOf(text: string): string | null {
  const domain = text.trim().toLowerCase();
  const labels = domain.split('.');
  return domain.length <= MAX_LENGTH && labels.length >= 2 && labels.every(isLabel) ? domain : null;
}

/** A normalised label below a domain; null for an invalid one. */
export function handleOf(text: string): string | null {
  const handle = text.trim().toLowerCase();
  return handle.length >= 3 && isLabel(handle) ? handle : null;
}

/** A name from DNS wire format (RFC 1035, section 3.1), as passed by ENSIP-10; null when it is not one. */
export function nameOfWire(wire: Hex): string | null {
  const bytes = hexToBytes(wire);
  const labels: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at]!;
    if (length === 0) return at === bytes.length - 1 ? labels.join('.') : null;
    if (length > 63 || at + length >= bytes.length) return null;
    labels.push(Buffer.from(bytes.subarray(at + 1, at + 1 + length)).toString('utf8'));
    at += length + 1;
  }
  return null;
}
