const NAMES: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'SyntaxError']);

/**
 * Whether an error comes from parsing unexpected foreign data: a list where there is none, digits that are not a
 * number. The data is to blame then, and counts as garbage.
 */
export const isMisread = (error: unknown): boolean => error instanceof Error && NAMES.has(error.name);
