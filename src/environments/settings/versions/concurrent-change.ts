import { isDeepStrictEqual } from 'node:util';
import type { ChangedField } from '../settings-fields.js';
import type { ReplacedField } from './settings-version.entity.js';

/** What becomes of fields that a client sent, given what others changed since it read the settings. */
export interface Reconciled {
  /** Sent as the client had read them: it did not mean to change them, so the newer values stay. */
  untouched: string[];
  /** Changed by the client and by somebody else. */
  conflicting: string[];
}

/**
 * Compares three states: what the client had read, what it sent, and what is stored now.
 *
 * @param wanted the fields in which what was sent differs from what is stored now
 * @param since what was replaced after the version that the client had read, oldest first
 * @param secrets names of fields whose values nobody reads: sending one is changing it
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
