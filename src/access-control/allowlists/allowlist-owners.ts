import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { AllowlistEntriesRepository } from './allowlist-entries.repository.js';
import { AllowlistsRepository } from './allowlists.repository.js';

/** Resolves the environment of an allowlist for paths that do not contain it. */
@Injectable()
export class AllowlistOwner extends OwnerResolver {
  constructor(private readonly lists: AllowlistsRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation checks whether the list exists. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.lists.findOwner(id, caller.userId);
  }
}

/** The same for an entry. */
@Injectable()
export class AllowlistEntryOwner extends OwnerResolver {
  constructor(private readonly entries: AllowlistEntriesRepository) {
    super();
  }

  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.entries.findOwner(id, caller.userId);
  }
}
