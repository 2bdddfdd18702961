import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import {
  differences,
  EnvironmentPart,
  EnvironmentParts,
  type PartChange,
  type PartPlan,
  type PartState,
  type LeftItem,
  type PartTerms,
} from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import type { ProviderName } from '../types/provider-names.js';
import type { ProviderConfiguration } from './provider.dto.js';
import type { ProviderRow } from './provider.entity.js';
import { ProvidersRepository } from './providers.repository.js';
import { providerTypeOf } from '../types/provider-types.js';
import { keeps } from './provider-rules.js';
import { ProvidersService } from './providers.service.js';
import { RequiredContacts } from './required-contacts.js';

/**
 * The providers of an environment by type: the enabled record of each, or the one that was changed last. Configuration
 * only: secrets belong to the environment they were entered in, and so does the decision to enable a provider.
 */
@Injectable()
export class ProvidersPart extends EnvironmentPart {
  override readonly name = 'providers';

  constructor(
    private readonly rows: ProvidersRepository,
    private readonly providers: ProvidersService,
    private readonly contacts: RequiredContacts,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    return new Map(
      [...byType(await this.rows.lockAll(environmentId, tx))].map(([type, row]) => [type, row.configuration]),
    );
  }

  override plan(from: PartState, to: PartState, terms: PartTerms): PartPlan {
    return differences(from, to, terms);
  }

  /** Providers that would be turned off although the target requires a contact that only they can verify. */
  override async refusals(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    tx: Transaction,
  ): Promise<LeftItem[]> {
    const present = byType(await this.rows.lockAll(environmentId, tx));
    const refused: LeftItem[] = [];
    for (const { action, key, after } of changes) {
      const row = present.get(key);
      if (!row || row.enabledAt === null) continue;
      const configuration = (after ?? {}) as Partial<ProviderConfiguration>;
      if (action === 'change' && keeps(providerTypeOf(row.provider), row, configuration).complete) continue;
      const contacts = await this.contacts.neededFor(environmentId, row.provider, tx);
      if (contacts.length > 0)
        refused.push({ key, reason: `would be off, and is needed to verify ${contacts.join(', ')}` });
    }
    return refused;
  }

  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const present = byType(await this.rows.lockAll(environmentId, tx));
    for (const { action, key, after } of changes) {
      const row = present.get(key);
      const configuration = (after ?? {}) as Partial<ProviderConfiguration>;
      if (action === 'remove' && row) await this.providers.removeAll(environmentId, row.provider, actor, tx);
      if (action === 'change' && row) await this.providers.replace(environmentId, row, configuration, actor, tx);
      if (action === 'add') await this.providers.add(environmentId, key as ProviderName, configuration, actor, tx);
    }
  }
}

/** A record that a promotion changes is still the one of its type afterwards, even if the change turns it off. */
function byType(rows: readonly ProviderRow[]): Map<string, ProviderRow> {
  const chosen = new Map<string, ProviderRow>();
  for (const row of rows) {
    const known = chosen.get(row.provider);
    if (!known || row.enabledAt !== null || (known.enabledAt === null && row.updatedAt >= known.updatedAt))
      chosen.set(row.provider, row);
  }
  return chosen;
}
