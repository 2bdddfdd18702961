import { cutText } from '../cut-text.js';
import { validationFailed } from '../errors/index.js';
import { RESERVED_KEYS } from './reserved-keys.js';

const MAX_PARAMETERS = 50;
const NESTED = /^([A-Za-z]\w*)\[([A-Za-z]\w*)\]$/;

const lists = new Set<string>();

/** Declares a parameter that is a list: clients may repeat it, and the values are read as one text with commas. */
export function mayRepeat(name: string): void {
  lists.add(name);
}

/**
 * Parses a query string into strings, with one level of `name[key]=value` as an object of strings. Duplicate parameters are
 * refused unless they are lists, so that no proxy can disagree on which one counts.
 */
export function parseQuery(text: string | undefined): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text ?? '')) {
    const isRepeated = lists.has(name) && typeof query[name] === 'string';
    if (!isRepeated && ++count > MAX_PARAMETERS) throw refuse(name, 'too many parameters');
    if (value.includes('\u0000') || !value.isWellFormed()) throw refuse(name, 'must be plain text');
    const [, outer = name, inner] = NESTED.exec(name) ?? [];
    if (RESERVED_KEYS.has(outer) || (inner && RESERVED_KEYS.has(inner))) throw refuse(outer, 'is reserved');
    if (isRepeated) {
      query[name] = `${query[name] as string},${value}`;
      continue;
    }
    if (!inner) {
      if (outer in query) throw refuse(name, 'must be given once');
      query[outer] = value;
      continue;
    }
    const group = (query[outer] ??= Object.create(null) as object) as Record<string, unknown>;
    if (typeof group !== 'object' || inner in group) throw refuse(name, 'must be given once');
    group[inner] = value;
  }
  return query;
}

const refuse = (field: string, message: string): Error =>
  validationFailed({
    payload: { fields: [{ field: cutText(field, 100), message: `${cutText(field, 100)} ${message}` }] },
  });
