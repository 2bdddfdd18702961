import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId } from '../../auth/index.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { EnvironmentInitializers } from './environment-initializer.js';
import { EnvironmentsRepository } from './environments.repository.js';
import { newEnvironmentId } from '../tenant-scope.js';

export interface ProjectEnvironments {
  sandbox: EnvironmentId;
  live: EnvironmentId;
}

/** Creates environments, with what every context wants to find in one. */
@Injectable()
export class EnvironmentsProvisioner {
  /** Never changes once it exists. */
  private console: Promise<EnvironmentId> | null = null;

  constructor(
    private readonly environments: EnvironmentsRepository,
    private readonly initializers: EnvironmentInitializers,
    private readonly work: UnitOfWork,
  ) {}

  /** The console environment of the deployment; the first call of all instances creates it. */
  ensureConsole(): Promise<EnvironmentId> {
    return (this.console ??= this.findOrCreateConsole().catch((error: unknown) => {
      this.console = null;
      throw error;
    }));
  }

  /** The sandbox and the live environment of a new project. */
  async createFor(
    organizationId: OrganizationId,
    { id: projectId, name: projectName }: { id: string; name: string },
    tx: Transaction,
  ): Promise<ProjectEnvironments> {
    const made = { sandbox: newEnvironmentId(), live: newEnvironmentId() };
    for (const kind of ['sandbox', 'live'] as const) {
      const environmentId = made[kind];
      await this.environments.insert(organizationId, { projectId, environmentId, kind }, tx);
      await this.initializers.initialize(environmentId, { kind, projectName }, tx);
    }
    return made;
  }

  private async findOrCreateConsole(): Promise<EnvironmentId> {
    return (await this.environments.findConsole()) ?? (await this.createConsole());
  }

  private async createConsole(): Promise<EnvironmentId> {
    await this.work.run(async (tx) => {
      const environmentId = newEnvironmentId();
      // Another instance that is at it holds the index entry: this waits for its commit and then inserts nothing.
      if (!(await this.environments.insertConsole(environmentId, tx))) return;
      await this.initializers.initialize(environmentId, { kind: 'console', projectName: null }, tx);
    });
    const found = await this.environments.findConsole();
    if (!found) throw new Error('The console environment vanished while it was being created.');
    return found;
  }
}
