import { cutText } from '../common/cut-text.js';

/**
 * A name from an outside source, made safe to display: truncated, and without Unicode category C (control, format and
 * similar characters), which can make one name read as another.
 */
export const foreignText = (text: string, most: number): string => cutText(text.replace(/\p{C}/gu, ''), most);
