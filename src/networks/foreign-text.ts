/** The first half of a character outside the basic plane, left alone at a cut. */
const CUT_CHARACTER = /[\uD800-\uDBFF]$/;

/**
 * A name from an outside source, made safe to display: truncated, and without Unicode category C (control, format and
 * similar characters), which can make one name read as another. Half a character is no valid JSON to many parsers, so
 * that one name would make the whole response unreadable.
 */
export const foreignText = (text: string, most: number): string =>
  text.replace(/\p{C}/gu, '').slice(0, most).replace(CUT_CHARACTER, '');
