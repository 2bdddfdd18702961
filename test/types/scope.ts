/**
 * Checked by the compiler alone: rows of a tenant are out of reach without a scope, and a scope is not a string that
 * came in. Every `@ts-expect-error` fails the build if the line below it should start to compile.
 */
import {
  EnvironmentEntity,
  OrganizationEntity,
  OrganizationRepository,
  ScopedRepository,
  type EnvironmentId,
  type OrganizationId,
  type Transaction,
} from '../../src/database/index.js';

class Thing extends EnvironmentEntity {
  name!: string;
  note!: string | null;
}
class Team extends OrganizationEntity {
  name!: string;
}
class Things extends ScopedRepository<Thing> {}
class Teams extends OrganizationRepository<Team> {}
// @ts-expect-error rows without an environment have no repository of that kind
export class Misfits extends ScopedRepository<Team> {}

declare const things: Things;
declare const teams: Teams;
declare const environmentId: EnvironmentId;
declare const organizationId: OrganizationId;
declare const fromPath: string;
declare const tx: Transaction;

export const agreeing = [
  things.find(environmentId, { id: fromPath }),
  things.list(environmentId, {}, { limit: 1, orderBy: 'name' }, tx),
  things.insert(environmentId, { id: fromPath, name: 'a', note: null }, tx),
  things.update(environmentId, { id: fromPath }, { note: null }, tx),
  things.delete(environmentId, { id: fromPath }, tx),
  teams.find(organizationId, { id: fromPath }),
];

// @ts-expect-error text is not a scope
export const minted: EnvironmentId = fromPath;
// @ts-expect-error an environment is not an organization
export const crossed: OrganizationId = environmentId;
/** A scope may be read as text. */
export const text: string = environmentId;

export const unscoped = [
  // @ts-expect-error text is not a scope
  things.find(fromPath, {}),
  // @ts-expect-error text is not a scope
  things.list(fromPath, {}, { limit: 1 }),
  // @ts-expect-error text is not a scope
  things.insert(fromPath, {}, tx),
  // @ts-expect-error text is not a scope
  things.insertIfAbsent(fromPath, {}, tx),
  // @ts-expect-error text is not a scope
  things.insertMany(fromPath, [], tx),
  // @ts-expect-error text is not a scope
  things.update(fromPath, {}, {}, tx),
  // @ts-expect-error text is not a scope
  things.delete(fromPath, {}, tx),
  // @ts-expect-error the scope comes first and cannot be left out
  things.find({ id: fromPath }),
  // @ts-expect-error an organization is not an environment
  things.find(organizationId, {}),
  // @ts-expect-error an environment is not an organization
  teams.find(environmentId, {}),
  // @ts-expect-error text is not a scope
  teams.find(fromPath, {}),
];

export const rescoped = [
  // @ts-expect-error the scope is not a condition
  things.find(environmentId, { environmentId }),
  // @ts-expect-error the scope is not a condition
  things.list(environmentId, { environmentId: fromPath }, { limit: 1 }),
  // @ts-expect-error the scope is not a value
  things.insert(environmentId, { environmentId: fromPath }, tx),
  // @ts-expect-error the scope is not a value
  things.insertMany(environmentId, [{ environmentId }], tx),
  // @ts-expect-error the scope does not change
  things.update(environmentId, { id: fromPath }, { environmentId }, tx),
  // @ts-expect-error the scope is not a condition
  things.delete(environmentId, { environmentId }, tx),
  // @ts-expect-error the scope is not a value
  teams.insert(organizationId, { organizationId }, tx),
];

export const loose = [
  // @ts-expect-error null never reaches a condition
  things.find(environmentId, { note: null }),
  // @ts-expect-error only properties of the row are conditions
  things.find(environmentId, { colour: 'red' }),
  // @ts-expect-error a list has a limit
  things.list(environmentId, {}, {}),
  // @ts-expect-error an insert is part of a transaction
  things.insert(environmentId, { name: 'a' }),
];
