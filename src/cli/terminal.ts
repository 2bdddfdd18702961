import { printable } from '../common/printable.js';

/** Prints a result. Much of it was named by strangers, who do not get to write to the terminal. */
export const say = (text: string): void => console.log(printable(text));

/** Prints progress, or what went wrong, beside the results. */
export const complain = (text: string): void => console.error(printable(text));
