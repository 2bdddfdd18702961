const NAMES: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'SyntaxError']);

/**
 * Whether code came upon something that it did not foresee while it read the words of somebody else: a list where there is
 * none, digits that are no number. Then the words are to blame, and are garbage.
 */
export const isMisread = (error: unknown): boolean => error instanceof Error && NAMES.has(error.name);
