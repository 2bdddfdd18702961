const MAX_LENGTH = 255;
/** Object keys with a special meaning in JavaScript, which are refused in bodies. */
const RESERVED = new Set(['proto', 'constructor', 'prototype']);

/** Derives a field's key from its name: lower-case letters and digits of any script, with `_` for all between. */
export function fieldKeyOf(name: string): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const key = shortened(words.join('_'));
  return key === '' || RESERVED.has(key) ? `field${key && `_${key}`}` : key;
}

/** Truncates to the maximum key length without splitting a character. */
function shortened(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
}
