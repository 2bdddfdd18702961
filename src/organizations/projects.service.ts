import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { newId } from '../common/ids.js';
import { UnitOfWork, violatedConstraint } from '../database/index.js';
import type { Actor } from './audit/actor.js';
import { ChangeLog } from './change-log.js';
import { EnvironmentsProvisioner, type ProjectEnvironments } from './environments-provisioner.js';
import type { UpdateProjectRequest } from './project.dto.js';
import { PROJECT_NAME_UNIQUE, type Project } from './project.entity.js';
import { projectNameAlreadyExists } from './project.errors.js';
import { PROJECT_UPDATED } from './project.events.js';
import { ProjectsRepository, type ProjectWithEnvironments } from './projects.repository.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(organizationId: OrganizationId): Promise<{ projects: ProjectWithEnvironments[] }> {
    return { projects: await this.projects.listWithEnvironments(organizationId) };
  }

  async get(organizationId: OrganizationId, projectId: string): Promise<ProjectWithEnvironments> {
    const project = await this.projects.findWithEnvironments(organizationId, projectId);
    if (!project) throw notFound();
    return project;
  }

  /** @throws projectNameAlreadyExists */
  async update(
    organizationId: OrganizationId,
    projectId: string,
    { name }: UpdateProjectRequest,
    actor: Actor,
  ): Promise<Pick<Project, 'id' | 'name'>> {
    return this.work
      .run(async (tx) => {
        const before = await this.projects.lock(organizationId, { id: projectId }, tx);
        if (!before) throw notFound();
        await this.projects.update(organizationId, { id: projectId }, { name }, tx);
        const after = { id: projectId, name };
        const resource = { type: 'project', id: projectId };
        const change = { event: PROJECT_UPDATED, resource, before: { id: before.id, name: before.name }, after };
        await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
        return after;
      })
      .catch(nameIsTaken);
  }

  /**
   * A project with its sandbox and live environment, ready for use.
   *
   * @throws projectNameAlreadyExists
   */
  async createProject(
    organizationId: OrganizationId,
    name: string,
  ): Promise<{ id: string; name: string; environments: ProjectEnvironments }> {
    const id = newId();
    const environments = await this.work
      .run(async (tx) => {
        await this.projects.insert(organizationId, { id, name }, tx);
        return this.provisioner.createFor(organizationId, id, tx);
      })
      .catch(nameIsTaken);
    return { id, name, environments };
  }
}

/** The unique index decides, so two callers who choose one name at once cannot both have it. */
function nameIsTaken(error: unknown): never {
  throw violatedConstraint(error) === PROJECT_NAME_UNIQUE ? projectNameAlreadyExists({ cause: error }) : error;
}
