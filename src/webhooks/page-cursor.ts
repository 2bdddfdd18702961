import { invalidFields } from '../common/http/validation.pipe.js';

/** Rows per page. */
export const PAGE_SIZE = 50;
/** Greater than any UUIDv7 for millennia to come: the start of a descending list. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const CURSOR = /^[\w-]{22}$/;

export interface Page<T> {
  data: T[];
  /** Absent on the last page. */
  cursor?: string;
}

/** The id below which a page continues. @throws validation_failed for text that is not a cursor from a page */
export function parseCursor(text: string | undefined): string {
  if (text === undefined || text === '') return LAST_ID;
  const bytes = CURSOR.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
  if (bytes.length !== 16 || bytes.toString('base64url') !== text) {
    throw invalidFields([{ field: 'cursor', message: 'cursor must be one that the previous page has given' }]);
  }
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** @param rows up to one more than a page, so that the last page is recognised without counting */
export function pageOf<T>(rows: readonly T[], idOf: (row: T) => string): Page<T> {
  const data = rows.slice(0, PAGE_SIZE);
  const last = data.at(-1);
  if (rows.length <= PAGE_SIZE || last === undefined) return { data };
  return { data, cursor: Buffer.from(idOf(last).replaceAll('-', ''), 'hex').toString('base64url') };
}
