import { printable } from '../common/printable.js';

/** Characters of a text that are logged: more than a stack has, and little enough for any reader of lines. */
const MOST = 32_768;

/**
 * Patterns of credentials, of this service and of others, and of email addresses. Their time grows with the length of a
 * text and not with its square: a peer may choose what an error says.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bgh[epil]_[\w-]+/g, '[token]'],
  [/\bwhs(?:ec|k)_[\w+/=-]+/g, '[secret]'],
  [/\b[sr]k_(?:live|test)_\w+/g, '[secret]'],
  [/\beyJ[\w-]{0,8000}\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/(\w:\/\/)[^\s/@:]*:[^\s/@]*@/g, '$1[credentials]@'],
  [
    /(?<![\w\p{L}\p{M}\p{N}.!#$%&'*+/=?^`{|}~-])[\w\p{L}\p{M}\p{N}.!#$%&'*+/=?^`{|}~-]+@[\w\p{L}\p{M}\p{N}-]+(?:\.[\w\p{L}\p{M}\p{N}-]+)+/gu,
    '[email]',
  ],
];

/** Makes a text safe to log: shortens it, redacts credentials and email addresses, and escapes control characters. */
export function cleaned(text: string): string {
  let clean = text.length > MOST ? `${text.slice(0, MOST)}… (${text.length} characters)` : text;
  for (const [pattern, instead] of SECRETS) clean = clean.replace(pattern, instead);
  return printable(clean);
}
