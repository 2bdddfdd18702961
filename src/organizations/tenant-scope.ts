/* eslint-disable no-restricted-syntax -- tenants are made here, and whoever makes a row holds its scope */
import { mintEnvironmentId, mintOrganizationId, type EnvironmentId, type OrganizationId } from '../auth/index.js';
import { newId } from '../common/ids.js';

/** The scope of an environment about to be created. */
export const newEnvironmentId = (): EnvironmentId => mintEnvironmentId(newId());

/** The scope of an organization about to be created. */
export const newOrganizationId = (): OrganizationId => mintOrganizationId(newId());

/** The scope of an organization that a person belongs to. */
export const memberScope = (membership: { organizationId: string; userId: string }): OrganizationId =>
  mintOrganizationId(membership.organizationId);

/** The scopes of the environments of a project that the caller may read. */
export const environmentScope = ({ id }: { id: string; environmentName: string }): EnvironmentId =>
  mintEnvironmentId(id);

/** The scope of the console environment, whose rows these contexts read on behalf of the user who owns them. */
export const consoleScope = (row: { id: string; kind: 'console' }): EnvironmentId => mintEnvironmentId(row.id);

/** The scope of an organization, for a person it has invited. */
export const invitedScope = (invite: { organizationId: string; email: string }): OrganizationId =>
  mintOrganizationId(invite.organizationId);

/** The scope of an organization whose email domain claim is checked against the DNS, whoever triggered it. */
export const claimScope = (row: { organizationId: string; domainChallenge: string }): OrganizationId =>
  mintOrganizationId(row.organizationId);

/** The scope of an environment, from one of its tokens found by the organization. */
export const madeTokenScope = (row: { environmentId: string; checksum: string }): EnvironmentId =>
  mintEnvironmentId(row.environmentId);

/** The scope of the organization of an environment that the caller holds. */
export const owningScope = (environment: { id: string; kind: string; organizationId: string }): OrganizationId =>
  mintOrganizationId(environment.organizationId);
