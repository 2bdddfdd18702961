/** Credentials of this service and of others, by how they look, and addresses of people. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bgh[epil]_[\w-]+/g, '[token]'],
  [/\bwhs(?:ec|k)_[\w+/=-]+/g, '[secret]'],
  [/\b[sr]k_(?:live|test)_\w+/g, '[secret]'],
  [/\beyJ[\w-]*\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/(\w:\/\/)[^\s/@:]*:[^\s/@]*@/g, '$1[credentials]@'],
  [/[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/g, '[email]'],
];

/** What a terminal or a reader of lines takes for more than text; JSON itself escapes those below U+0020. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text as it may stand in a log: without credentials, addresses of people, and characters that act. */
export function cleaned(text: string): string {
  let clean = text;
  for (const [pattern, instead] of SECRETS) clean = clean.replace(pattern, instead);
  return clean.replace(CONTROL, escaped);
}
