/**
 * What a terminal or a line reader interprets, except line breaks and tabs: control characters, separators of lines, and
 * marks that change the direction of text, with which one text can be made to look like another.
 */
const INTERPRETED =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text with escapes, as JSON has them, in place of what a terminal would interpret. JSON stays the same JSON. */
export const printable = (text: string): string => text.replace(INTERPRETED, escaped);
