import { describe, expect, it } from '@jest/globals';
import { ROLES, roleReaches } from '../src/auth/index.js';
import { byOperation, documentedRoles, reviewedRoles } from './support/contract/roles.js';
import { listOperations, readDocument, type Operation } from './support/contract/openapi-document.js';
import { roleMatrix, scopeMatrix } from './support/readme/access-matrices.js';

const document = readDocument(new URL('../openapi.json', import.meta.url));
const dashboard = listOperations(document).filter(
  ({ operation }) => (operation as Operation & { 'x-audience'?: string })['x-audience'] === 'dashboard',
);

describe('the matrix of roles', () => {
  it('that was reviewed is what the handlers say', () => {
    expect(documentedRoles(document)).toEqual(reviewedRoles());
  });

  it('has every dashboard operation once', () => {
    const listed = Object.values(reviewedRoles()).flat();
    expect(listed.sort()).toEqual(dashboard.map(({ operationId }) => operationId).sort());
  });

  it('shows a role that was weakened at its handler', () => {
    const weakened = structuredClone(document);
    const located = listOperations(weakened).find(({ operationId }) => operationId === 'deleteProjectById');
    Object.assign(located!.operation, { 'x-least-role': 'viewer' });
    expect(documentedRoles(weakened)).not.toEqual(reviewedRoles());
    expect(byOperation(documentedRoles(weakened))['deleteProjectById']).toBe('viewer');
  });

  it('lets every role do what the one below may do, and an owner everything', () => {
    for (const least of ROLES.values) {
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
