import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { ProvidersRepository } from './providers.repository.js';

/** Resolves the environment of a provider for paths that do not contain it. */
@Injectable()
export class ProviderOwner extends OwnerResolver {
  constructor(private readonly providers: ProvidersRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation checks whether the provider exists. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.providers.findOwner(id, caller.userId);
  }
}
