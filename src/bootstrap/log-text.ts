import { printable } from '../common/printable.js';

/** Patterns of credentials, of this service and of others, and of email addresses. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bgh[epil]_[\w-]+/g, '[token]'],
  [/\bwhs(?:ec|k)_[\w+/=-]+/g, '[secret]'],
  [/\b[sr]k_(?:live|test)_\w+/g, '[secret]'],
  [/\beyJ[\w-]*\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/(\w:\/\/)[^\s/@:]*:[^\s/@]*@/g, '$1[credentials]@'],
  [/[\w\p{L}\p{M}\p{N}.!#$%&'*+/=?^`{|}~-]+@[\w\p{L}\p{M}\p{N}-]+(?:\.[\w\p{L}\p{M}\p{N}-]+)+/gu, '[email]'],
];

/** Makes a text safe to log: redacts credentials and email addresses, and escapes control characters. */
export function cleaned(text: string): string {
  let clean = text;
  for (const [pattern, instead] of SECRETS) clean = clean.replace(pattern, instead);
  return printable(clean);
}
