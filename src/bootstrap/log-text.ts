/** Patterns of credentials, of this service and of others, and of email addresses. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bgh[epil]_[\w-]+/g, '[token]'],
  [/\bwhs(?:ec|k)_[\w+/=-]+/g, '[secret]'],
  [/\b[sr]k_(?:live|test)_\w+/g, '[secret]'],
  [/\beyJ[\w-]*\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/(\w:\/\/)[^\s/@:]*:[^\s/@]*@/g, '$1[credentials]@'],
  [/[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/g, '[email]'],
];

/** Characters that a terminal or a line reader interprets; JSON itself escapes those below U+0020. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes a text safe to log: redacts credentials and email addresses, and escapes control characters. */
export function cleaned(text: string): string {
  let clean = text;
  for (const [pattern, instead] of SECRETS) clean = clean.replace(pattern, instead);
  return clean.replace(CONTROL, escaped);
}
