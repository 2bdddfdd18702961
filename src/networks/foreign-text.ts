/**
 * What somebody outside calls a thing, to be shown: at most so long, and without what has no form of its own (Unicode's
 * category C), with which a name is made to read as another.
 */
export const foreignText = (text: string, most: number): string => text.replace(/\p{C}/gu, '').slice(0, most);
