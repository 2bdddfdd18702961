import { readFileSync } from 'node:fs';
import { ROLES, type Role } from '../../../src/auth/index.js';
import { listOperations, type OpenApiDoc, type Operation } from './openapi-document.js';

/** Ids of dashboard operations by the lowest role that may call them. */
export type RolesTable = Readonly<Record<Role, readonly string[]>>;

export const ROLES_FILE = new URL('../../contract/roles.json', import.meta.url);

/**
 * The table as reviewed and committed. `npm run docs:write` updates it from the handlers, and reviewers look at the
 * diff; the tests check the running service against it.
 */
export const reviewedRoles = (): RolesTable => JSON.parse(readFileSync(ROLES_FILE, 'utf8')) as RolesTable;

/** The same table as declared by the handlers, read from the document. */
export function documentedRoles(document: OpenApiDoc): RolesTable {
  const of = (role: Role): string[] =>
    listOperations(document)
      .filter(({ operation }) => (operation as Operation & { 'x-least-role'?: string })['x-least-role'] === role)
      .map(({ operationId }) => operationId)
      .sort();
  return Object.fromEntries([...ROLES.values].reverse().map((role) => [role, of(role)])) as unknown as RolesTable;
}

/** Each operation of a table with its lowest role. */
export const byOperation = (table: RolesTable): Readonly<Record<string, Role>> =>
  Object.fromEntries(Object.entries(table).flatMap(([role, ids]) => ids.map((id) => [id, role as Role])));
