import { createHash } from 'node:crypto';
import { canonicalJson } from '../../common/canonical-json.js';
import { Hidden, REDACTED, isSecretName, masked, plain } from './redaction.js';

/** One field that differs; null stands for an absent value. */
export interface FieldChange {
  /** Dotted path within objects, such as `security.jwtDuration`; a list is compared and recorded as a whole. */
  field: string;
  before: unknown;
  after: unknown;
}

/** Longer values (canonical JSON in UTF-8) are recorded as a prefix, their length and their digest. */
const MAX_VALUE_BYTES = 4096;
const START_CHARACTERS = 256;

/** Changes along with any other field and carries no information. */
const BOOKKEEPING = 'updatedAt';

type Members = Record<string, unknown>;

/**
 * The fields in which two states differ, sorted by name. Absent and null are equal. For a secret, only the fact that it
 * changed is recorded.
 */
export function fieldChanges(before: object | null, after: object | null): FieldChange[] {
  return differences('', membersOf(plain(before)), membersOf(plain(after))).sort((a, b) =>
    a.field < b.field ? -1 : 1,
  );
}

function differences(prefix: string, before: Members, after: Members): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const field = prefix + name;
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (field === BOOKKEEPING || canonicalJson(was) === canonicalJson(is)) return [];
    if (isSecretName(name) || was instanceof Hidden || is instanceof Hidden) {
      return [{ field, before: REDACTED, after: REDACTED }];
    }
    const below = differences(`${field}.`, membersOf(was), membersOf(is));
    // Where an object replaces a plain value or an empty object, the field itself is recorded as well.
    const [leafBefore, leafAfter] = [leafOf(was), leafOf(is)];
    if (canonicalJson(leafBefore) === canonicalJson(leafAfter)) return below;
    return [{ field, before: recordable(leafBefore), after: recordable(leafAfter) }, ...below];
  });
}

/** The fields of an object; none for anything else. */
const membersOf = (value: unknown): Members => (isObject(value) ? value : {});
const leafOf = (value: unknown): unknown => (isObject(value) && Object.keys(value).length > 0 ? null : value);
const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Hidden);

/** A value as records may store it. */
function recordable(value: unknown): unknown {
  const shown = masked(value);
  const text = canonicalJson(shown);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_VALUE_BYTES) return shown;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { truncated: text.slice(0, START_CHARACTERS).toWellFormed(), bytes, sha256 };
}
