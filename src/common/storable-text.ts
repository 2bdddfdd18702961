/** True for text PostgreSQL can hold and JSON can carry back: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
