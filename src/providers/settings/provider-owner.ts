import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { ProvidersRepository } from './providers.repository.js';

/** Tells the environment of a provider, whose path does not name it. */
@Injectable()
export class ProviderOwner extends OwnerResolver {
  constructor(private readonly providers: ProvidersRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the provider is there, the operation finds out. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.providers.findOwner(id, caller.userId);
  }
}
