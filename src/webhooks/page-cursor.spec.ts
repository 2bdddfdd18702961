import { describe, expect, it } from '@jest/globals';
import { LAST_ID, PAGE_SIZE, pageOf, parseCursor } from './page-cursor.js';

const idOf = (n: number): string => `01a1fa9b-744d-7b40-93ec-${n.toString(16).padStart(12, '0')}`;
const rows = (count: number): { id: string }[] => Array.from({ length: count }, (_, n) => ({ id: idOf(n) }));

describe('a page', () => {
  it('carries a cursor that leads to the id of its last row', () => {
    const page = pageOf(rows(PAGE_SIZE + 1), ({ id }) => id);
    expect(page.data).toHaveLength(PAGE_SIZE);
    expect(parseCursor(page.cursor)).toBe(idOf(PAGE_SIZE - 1));
  });

  it.each([0, 1, PAGE_SIZE])('of %i rows is the last one and has no cursor', (count) => {
    const page = pageOf(rows(count), ({ id }) => id);
    expect(page.data).toHaveLength(count);
    expect(page).not.toHaveProperty('cursor');
  });
});

describe('a cursor', () => {
  it('that is absent starts above every id', () => {
    expect(parseCursor(undefined)).toBe(LAST_ID);
    expect(parseCursor(undefined) > idOf(0)).toBe(true);
  });

  // The last one has 22 characters whose unused bits are set: another spelling of a value that exists.
  it.each(['x', 'a'.repeat(21), 'a'.repeat(23), '0'.repeat(21) + '!', idOf(1), 'A'.repeat(21) + 'B'])(
    'that no page has handed out is refused: %s',
    (text) => {
      expect(() => parseCursor(text)).toThrow(expect.objectContaining({ code: 'validation_failed', status: 400 }));
    },
  );
});
