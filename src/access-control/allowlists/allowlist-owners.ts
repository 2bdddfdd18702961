import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { AllowlistEntriesRepository } from './allowlist-entries.repository.js';
import { AllowlistsRepository } from './allowlists.repository.js';

/** Tells the environment of an allowlist, whose path does not name it. */
@Injectable()
export class AllowlistOwner extends OwnerResolver {
  constructor(private readonly lists: AllowlistsRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the list is there, the operation finds out. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.lists.findOwner(id, caller.userId);
  }
}

/** The same of an entry. */
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
