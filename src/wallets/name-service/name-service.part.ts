import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentPart, EnvironmentParts, type PartChange, type PartState } from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import { ownedDomainOf } from './owned-domain.js';
import { NameServiceService } from './name-service.service.js';
import { NameServicesRepository } from './name-services.repository.js';

/**
 * The domains of an environment by chain, without the names below them, which belong to its users. A new domain starts
 * disabled; enabling it checks in the registry that the owner who signed still owns it.
 */
@Injectable()
export class NameServicePart extends EnvironmentPart {
  override readonly name = 'nameServices';

  constructor(
    private readonly services: NameServicesRepository,
    private readonly service: NameServiceService,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.services.lockEvery(environmentId, 'id', tx);
    return new Map(rows.map(({ chain, domain, address }) => [chain, { domain, address }] as const));
  }

  /** A new domain replaces the previous one, whose names are deleted. */
  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    for (const { action, key, after } of changes) {
      if (action !== 'add') await this.service.remove(environmentId, key, actor, tx);
      if (action === 'remove') continue;
      const owned = ownedDomainOf(key, after as { domain: string; address: string });
      await this.service.insert(environmentId, owned, actor, tx);
    }
  }
}
