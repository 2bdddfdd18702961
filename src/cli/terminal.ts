import { printable } from '../common/printable.js';

/** Prints a result. Much of it was named by strangers, who do not get to write to the terminal. */
export const say = (text: string): void => console.log(printable(text));

/** A name that strangers gave, for a line of several: a line break in it would begin another line. */
export const inLine = (text: string): string => text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/** Prints progress, or what went wrong, beside the results. */
export const complain = (text: string): void => console.error(printable(text));
