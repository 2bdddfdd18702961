import { isDeepStrictEqual } from 'node:util';
import type { ChangedField } from '../settings-fields.js';
import type { ReplacedField } from './settings-version.entity.js';

/** How fields in a request relate to changes made since the client read the settings. */
export interface Reconciled {
  /** Sent unmodified: the client did not mean to change them, so the newer values stay. */
  untouched: string[];
  /** Changed by both the client and somebody else. */
  conflicting: string[];
}

/**
 * Three-way comparison of what the client had read, what it sent, and what is stored now.
 *
 * @param wanted the fields in which the request differs from what is stored now
 * @param since values replaced after the version that the client had read, oldest first
 * @param secrets names of fields that cannot be read back: sending one counts as changing it
 */
export function reconcile(
  wanted: readonly ChangedField[],
  since: readonly (readonly ReplacedField[])[],
  secrets: ReadonlySet<string>,
): Reconciled {
  const read = new Map<string, unknown>();
  for (const replaced of since) {
    for (const { field, before } of replaced) if (!read.has(field)) read.set(field, before);
  }
  const contested = wanted.filter(({ field }) => read.has(field));
  const isUntouched = ({ field, after }: ChangedField): boolean =>
    !secrets.has(field) && isDeepStrictEqual(read.get(field), after);
  return {
    untouched: contested.filter(isUntouched).map(({ field }) => field),
    conflicting: contested.filter((change) => !isUntouched(change)).map(({ field }) => field),
  };
}
