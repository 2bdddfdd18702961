const MAX_LENGTH = 255;
/** Keys of objects that mean something else in JavaScript, and are refused in bodies. */
const RESERVED = new Set(['proto', 'constructor', 'prototype']);

/** The key of a field from its name: lower-case letters and digits of any script, with `_` for all between them. */
export function fieldKeyOf(name: string): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const key = shortened(words.join('_'));
  return key === '' || RESERVED.has(key) ? `field${key && `_${key}`}` : key;
}

/** At most as long as a key may be, without half a character at its end. */
function shortened(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
}
