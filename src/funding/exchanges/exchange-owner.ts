import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { ExchangesRepository } from './exchanges.repository.js';

/** Resolves the environment of an exchange whose path does not name it. */
@Injectable()
export class ExchangeOwner extends OwnerResolver {
  constructor(private readonly exchanges: ExchangesRepository) {
    super();
  }

  /** A token is limited to its own environment; the operation itself finds out whether the record is there. */
  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.exchanges.findOwner(id, caller.userId);
  }
}
