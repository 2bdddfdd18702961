import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { DeeplinkUrlsRepository } from './deeplink-urls.repository.js';

/** Resolves the environment of a deeplink for paths that do not contain it. */
@Injectable()
export class DeeplinkUrlOwner extends OwnerResolver {
  constructor(private readonly deeplinks: DeeplinkUrlsRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation checks whether the deeplink exists. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.deeplinks.findOwner(id, caller.userId);
  }
}
