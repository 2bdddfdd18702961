import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { DeeplinkUrlsRepository } from './deeplink-urls.repository.js';

/** Tells the environment of a deeplink whose path does not name it. */
@Injectable()
export class DeeplinkUrlOwner extends OwnerResolver {
  constructor(private readonly deeplinks: DeeplinkUrlsRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the deeplink is there, the operation finds out. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.deeplinks.findOwner(id, caller.userId);
  }
}
