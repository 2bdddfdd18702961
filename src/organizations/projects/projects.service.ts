import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  UnitOfWork,
  violatedConstraint,
  type EventDefinition,
  type Transaction,
  type Work,
} from '../../database/index.js';
import { SERVICE, type Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { EnvironmentsProvisioner, type ProjectEnvironments } from '../environments/environments-provisioner.js';
import { EnvironmentsRemover } from '../environments/environments-remover.js';
import { HeldRoles } from '../members/held-roles.js';
import type { ProjectRequest, UpdateProjectRequest } from './project.dto.js';
import { PROJECT_NAME_UNIQUE, type Project } from './project.entity.js';
import { MAX_PROJECTS, cannotDeleteLastProject, projectNameAlreadyExists, tooManyProjects } from './project.errors.js';
import { PROJECT_CREATED, PROJECT_DELETED, PROJECT_UPDATED } from './project.events.js';
import { ProjectsRepository, type ProjectWithEnvironments } from './projects.repository.js';
import { environmentScope } from '../tenant-scope.js';

type NamedProject = Pick<Project, 'id' | 'name'>;
type MadeProject = NamedProject & { environments: ProjectEnvironments };

@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly roles: HeldRoles,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly remover: EnvironmentsRemover,
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

  /** The scopes of both environments, for contexts that store something in them. */
  async environmentsOf(organizationId: OrganizationId, projectId: string): Promise<ProjectEnvironments> {
    const { projectEnvironments } = await this.get(organizationId, projectId);
    const [live, sandbox] = (['live', 'sandbox'] as const).map((kind) =>
      projectEnvironments.find(({ environmentName }) => environmentName === kind),
    );
    if (!live || !sandbox) throw notFound();
    return { live: environmentScope(live), sandbox: environmentScope(sandbox) };
  }

  /** @throws projectNameAlreadyExists, roleWithdrawn */
  async update(
    organizationId: OrganizationId,
    projectId: string,
    { name }: UpdateProjectRequest,
    actor: Actor,
  ): Promise<NamedProject> {
    return this.work
      .run(async (tx) => {
        await this.roles.hold(organizationId, actor, 'admin', tx);
        const found = await this.projects.lock(organizationId, { id: projectId }, tx);
        if (!found || found.deletedAt) throw notFound();
        await this.projects.update(organizationId, { id: projectId }, { name }, tx);
        const [before, after] = [
          { id: found.id, name: found.name },
          { id: projectId, name },
        ];
        await this.record(organizationId, PROJECT_UPDATED, { before, after }, actor, tx);
        return after;
      })
      .catch(nameIsTaken);
  }

  /** @throws projectNameAlreadyExists, tooManyProjects, roleWithdrawn */
  async create(
    organizationId: OrganizationId,
    { name }: ProjectRequest,
    actor: Actor,
    work: Work,
  ): Promise<{ project: ProjectWithEnvironments }> {
    // Also checked here, before keys are created for nothing.
    if ((await this.projects.count(organizationId)) >= MAX_PROJECTS) throw tooManyProjects();
    const { id, environments } = await this.make(organizationId, name, actor, work);
    const projectEnvironments = (['live', 'sandbox'] as const).map((kind) => ({
      id: environments[kind],
      environmentName: kind,
    }));
    return { project: { id, name, organizationId, projectEnvironments } };
  }

  /**
   * Creates a project with its sandbox and live environments, ready for use. For programs, in their own transaction.
   *
   * @throws projectNameAlreadyExists, tooManyProjects
   */
  createProject(organizationId: OrganizationId, name: string, tx: Transaction): Promise<MadeProject> {
    return this.make(organizationId, name, SERVICE, { run: (unit) => unit(tx) });
  }

  private async make(organizationId: OrganizationId, name: string, actor: Actor, work: Work): Promise<MadeProject> {
    const id = newId();
    const prepared = await this.provisioner.prepare();
    const environments = await work
      .run(async (tx) => {
        // Before the name is taken: whoever holds this lock may be waiting for the name.
        await this.roles.hold(organizationId, actor, 'admin', tx);
        if ((await this.projects.count(organizationId, tx)) >= MAX_PROJECTS) throw tooManyProjects();
        await this.projects.insert(organizationId, { id, name }, tx);
        const made = await this.provisioner.createFor(organizationId, { id, name }, prepared, tx);
        await this.record(organizationId, PROJECT_CREATED, { before: null, after: { id, name } }, actor, tx);
        return made;
      })
      .catch(nameIsTaken);
    return { id, name, environments };
  }

  /** @throws cannotDeleteLastProject, roleWithdrawn */
  async delete(organizationId: OrganizationId, projectId: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      await this.roles.hold(organizationId, actor, 'admin', tx);
      const before = await this.projects.markDeleted(organizationId, projectId, tx);
      if (!before) throw notFound();
      if ((await this.projects.count(organizationId, tx)) === 0) throw cannotDeleteLastProject();
      await this.remover.removeOf(organizationId, projectId, tx);
      await this.record(organizationId, PROJECT_DELETED, { before, after: null }, actor, tx);
    });
  }

  private record(
    organizationId: OrganizationId,
    event: EventDefinition,
    { before, after }: { before: NamedProject | null; after: NamedProject | null },
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const data = (after ?? before)!;
    const change = { event, resource: { type: 'project', id: data.id }, before, after, data };
    return this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
  }
}

/** The unique index decides between concurrent callers that choose the same name. */
function nameIsTaken(error: unknown): never {
  throw violatedConstraint(error) === PROJECT_NAME_UNIQUE ? projectNameAlreadyExists({ cause: error }) : error;
}
