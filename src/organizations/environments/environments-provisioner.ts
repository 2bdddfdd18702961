import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId } from '../../auth/index.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { EnvironmentInitializers, type PreparedEnvironment } from './environment-initializer.js';
import { EnvironmentsRepository } from './environments.repository.js';
import { newEnvironmentId } from '../tenant-scope.js';

export interface ProjectEnvironments {
  sandbox: EnvironmentId;
  live: EnvironmentId;
}

type PreparedEnvironments = Readonly<Record<'sandbox' | 'live', PreparedEnvironment>>;

/** Creates environments with the initial data of every context. */
@Injectable()
export class EnvironmentsProvisioner {
  /** Never changes once set. */
  private console: Promise<EnvironmentId> | null = null;

  constructor(
    private readonly environments: EnvironmentsRepository,
    private readonly initializers: EnvironmentInitializers,
    private readonly work: UnitOfWork,
  ) {}

  /** The console environment of the deployment; created by the first call on any instance. */
  ensureConsole(): Promise<EnvironmentId> {
    return (this.console ??= this.findOrCreateConsole().catch((error: unknown) => {
      this.console = null;
      throw error;
    }));
  }

  /** Slow preparation for the environments of a new project, before the transaction that creates them. */
  async prepare(): Promise<PreparedEnvironments> {
    const [sandbox, live] = await Promise.all([
      this.initializers.prepare(newEnvironmentId()),
      this.initializers.prepare(newEnvironmentId()),
    ]);
    return { sandbox, live };
  }

  /** Creates the sandbox and live environments of a new project. */
  async createFor(
    organizationId: OrganizationId,
    { id: projectId, name: projectName }: { id: string; name: string },
    prepared: PreparedEnvironments,
    tx: Transaction,
  ): Promise<ProjectEnvironments> {
    for (const kind of ['sandbox', 'live'] as const) {
      const { environmentId } = prepared[kind];
      await this.environments.insert(organizationId, { projectId, environmentId, kind }, tx);
      await this.initializers.initialize(prepared[kind], { kind, projectName }, tx);
    }
    return { sandbox: prepared.sandbox.environmentId, live: prepared.live.environmentId };
  }

  private async findOrCreateConsole(): Promise<EnvironmentId> {
    return (await this.environments.findConsole()) ?? (await this.createConsole());
  }

  private async createConsole(): Promise<EnvironmentId> {
    const prepared = await this.initializers.prepare(newEnvironmentId());
    await this.work.run(async (tx) => {
      // If another instance is inserting it, this waits on the index entry until its commit and then inserts nothing.
      if (!(await this.environments.insertConsole(prepared.environmentId, tx))) return;
      await this.initializers.initialize(prepared, { kind: 'console', projectName: null }, tx);
    });
    const found = await this.environments.findConsole();
    if (!found) throw new Error('The console environment vanished while it was being created.');
    return found;
  }
}
