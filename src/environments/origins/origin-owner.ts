import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { OriginsRepository } from './origins.repository.js';

/** Resolves the environment of an origin for paths that do not contain it. */
@Injectable()
export class OriginOwner extends OwnerResolver {
  constructor(private readonly origins: OriginsRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation checks whether the origin exists. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.origins.findOwner(id, caller.userId);
  }
}
