import { describe, expect, it } from '@jest/globals';
import { ROLE_MATRIX, ROLES, roleReaches } from '../src/auth/index.js';
import { listOperations, readDocument, type Operation } from './support/contract/openapi-document.js';
import { roleMatrix, scopeMatrix } from './support/readme/access-matrices.js';

const document = readDocument(new URL('../openapi.json', import.meta.url));
const dashboard = listOperations(document).filter(
  ({ operation }) => (operation as Operation & { 'x-audience'?: string })['x-audience'] === 'dashboard',
);

describe('the matrix of roles', () => {
  it('has a row for each dashboard operation of the document, with the role that the document shows, and no other', () => {
    const shown = dashboard.map(({ operationId, operation }) => [
      operationId,
      (operation as Operation & { 'x-least-role'?: string })['x-least-role'],
    ]);
    expect(Object.fromEntries(shown)).toEqual(ROLE_MATRIX);
  });

  it('lets every role do what the one below may do, and an owner everything', () => {
    for (const least of Object.values(ROLE_MATRIX)) {
      const allowed = ROLES.values.map((role) => roleReaches(role, least));
      expect(allowed[0]).toBe(true);
      expect(allowed).toEqual([...allowed].sort((a, b) => Number(b) - Number(a)));
    }
  });

  it('is printed with a column for each role, from the least', () => {
    expect(roleMatrix({ openDoor: 'developer' }).map((line) => line.split('|').map((cell) => cell.trim()))).toEqual([
      ['', 'Operation', 'viewer', 'developer', 'admin', 'owner', ''],
      expect.any(Array),
      ['', '`openDoor`', '', '✓', '✓', '✓', ''],
    ]);
  });
});

describe('the matrix of scopes', () => {
  it('has one scope for each operation that takes API tokens', () => {
    const rows = scopeMatrix(document).slice(2);
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row.split('✓')).toHaveLength(2);
    const scoped = dashboard.filter(({ operation }) => 'x-token-scope' in operation);
    expect(rows).toHaveLength(scoped.length);
  });
});
