/**
 * A name from an outside source, made safe to display: truncated, and without Unicode category C (control, format and
 * similar characters), which can make one name read as another.
 */
export const foreignText = (text: string, most: number): string => text.replace(/\p{C}/gu, '').slice(0, most);
