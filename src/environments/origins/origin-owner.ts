import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { OriginsRepository } from './origins.repository.js';

/** Tells the environment of an origin whose path does not name it. */
@Injectable()
export class OriginOwner extends OwnerResolver {
  constructor(private readonly origins: OriginsRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the origin is there, the operation finds out. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.origins.findOwner(id, caller.userId);
  }
}
