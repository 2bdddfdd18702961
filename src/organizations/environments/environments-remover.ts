import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { EnvironmentsPurge } from './environments-purge.job.js';
import { EnvironmentsRepository } from './environments.repository.js';
import { OrganizationDirectory } from '../organization-directory.js';

/** Makes the environments of a project unreachable: on this instance at once, on others within a second. */
@Injectable()
export class EnvironmentsRemover {
  constructor(
    private readonly environments: EnvironmentsRepository,
    private readonly directory: OrganizationDirectory,
    private readonly purge: EnvironmentsPurge,
  ) {}

  async removeOf(organizationId: OrganizationId, projectId: string, tx: Transaction): Promise<void> {
    const gone = await this.environments.markDeleted(organizationId, projectId, tx);
    tx.afterCommit(() => {
      for (const id of gone) this.directory.forget(id);
      this.purge.ring();
    });
  }
}
