import { ROLES, TOKEN_SCOPES, roleReaches, type Role } from '../../../src/auth/index.js';
import { listOperations, type OpenApiDoc, type Operation } from '../contract/openapi-document.js';
import { markdownTable } from './markdown-table.js';

type Scoped = Operation & { 'x-audience'?: string; 'x-token-scope'?: string };

const YES = '✓';
const tick = (allowed: boolean): string => (allowed ? YES : '');
const code = (text: string): string => `\`${text}\``;

/** Which members may call which dashboard operation. */
export function roleMatrix(matrix: Readonly<Record<string, Role>>): string[] {
  const roles = [...ROLES.values].reverse();
  return markdownTable([
    ['Operation', ...roles],
    ...Object.entries(matrix)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, least]) => [code(id), ...roles.map((role) => tick(roleReaches(role, least)))]),
  ]);
}

/** The API token scope that each operation requires; the others refuse API tokens or accept any. */
export function scopeMatrix(document: OpenApiDoc): string[] {
  const rows = listOperations(document)
    .map(({ operationId, operation }) => ({ operationId, scope: (operation as Scoped)['x-token-scope'] }))
    .filter(({ scope }) => scope !== undefined)
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1));
  return markdownTable([
    ['Operation', ...TOKEN_SCOPES.values.map((scope) => code(scope))],
    ...rows.map(({ operationId, scope }) => [
      code(operationId),
      ...TOKEN_SCOPES.values.map((each) => tick(each === scope)),
    ]),
  ]);
}
