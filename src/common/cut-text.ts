/** The first half of a character outside the basic plane, left alone at a cut. */
const CUT_CHARACTER = /[\uD800-\uDBFF]$/;

/** The beginning of a text, cut between characters. Half a character is no valid JSON to many parsers. */
export const cutText = (text: string, most: number): string => text.slice(0, most).replace(CUT_CHARACTER, '');
