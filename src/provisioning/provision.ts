import type { INestApplicationContext } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId, type OrganizationId } from '../database/index.js';
import { UserIdentities } from '../identity/index.js';
import {
  EnvironmentsProvisioner,
  OrganizationsService,
  ProjectsService,
  SERVICE,
  type ProjectEnvironments,
} from '../organizations/index.js';

interface Request {
  organization: string;
  project: string;
  /** Signs in to the console environment with codes sent to this address. */
  ownerEmail: string;
}

export interface Provisioned {
  organizationId: OrganizationId;
  projectId: string;
  ownerUserId: string;
  consoleEnvironmentId: EnvironmentId;
  environments: ProjectEnvironments;
}

/**
 * Makes an organization with its owner and a first project, all of it or nothing: whoever was interrupted begins anew.
 * Nobody gets a password: the owner signs in by email.
 */
export async function provision(app: INestApplicationContext, request: Request): Promise<Provisioned> {
  const consoleEnvironmentId = await app.get(EnvironmentsProvisioner).ensureConsole();
  const made = await app.get(UnitOfWork).run(async (tx) => {
    const identifier = { kind: 'email', value: request.ownerEmail } as const;
    const owner = await app
      .get(UserIdentities)
      .ensure(consoleEnvironmentId, identifier, { proven: false, draft: { email: request.ownerEmail } }, tx);
    const { id } = await app
      .get(OrganizationsService)
      .createOrganization({ name: request.organization, ownerUserId: owner.userId }, SERVICE, tx);
    const project = await app.get(ProjectsService).createProject(id, request.project, tx);
    const { environments } = project;
    return { ownerUserId: owner.userId, organizationId: id, projectId: project.id, environments };
  });
  return { ...made, consoleEnvironmentId };
}
