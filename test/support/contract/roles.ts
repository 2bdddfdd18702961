import { readFileSync } from 'node:fs';
import { ROLES, type Role } from '../../../src/auth/index.js';
import { listOperations, type OpenApiDoc, type Operation } from './openapi-document.js';

/** Ids of dashboard operations by the least role of a member who may call them. */
export type RolesTable = Readonly<Record<Role, readonly string[]>>;

export const ROLES_FILE = new URL('../../contract/roles.json', import.meta.url);

/**
 * The table as a person has read and committed it. `npm run docs:write` brings it up to date with the handlers, and its
 * difference is what a reviewer looks at; the tests hold the running service against it.
 */
export const reviewedRoles = (): RolesTable => JSON.parse(readFileSync(ROLES_FILE, 'utf8')) as RolesTable;

/** The same table as the handlers say it, by way of the document. */
export function documentedRoles(document: OpenApiDoc): RolesTable {
  const of = (role: Role): string[] =>
    listOperations(document)
      .filter(({ operation }) => (operation as Operation & { 'x-least-role'?: string })['x-least-role'] === role)
      .map(({ operationId }) => operationId)
      .sort();
  return Object.fromEntries([...ROLES.values].reverse().map((role) => [role, of(role)])) as unknown as RolesTable;
}

/** Each operation of a table with its least role. */
export const byOperation = (table: RolesTable): Readonly<Record<string, Role>> =>
  Object.fromEntries(Object.entries(table).flatMap(([role, ids]) => ids.map((id) => [id, role as Role])));
