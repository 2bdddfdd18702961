import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentPart, EnvironmentParts, type PartChange, type PartState } from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import { termsOf } from './allowlist-terms.js';
import type { PostAllowlistsRequest } from './allowlist.dto.js';
import { AllowlistsRepository, MAX_ALLOWLISTS } from './allowlists.repository.js';
import { AllowlistsService } from './allowlists.service.js';

/**
 * The allowlists of an environment by name, without their entries, which belong to each environment. A list added by a
 * promotion is disabled, since an empty one would let nobody in.
 */
@Injectable()
export class AllowlistsPart extends EnvironmentPart {
  override readonly name = 'allowlists';

  constructor(
    private readonly lists: AllowlistsRepository,
    private readonly service: AllowlistsService,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override get most(): number {
    return MAX_ALLOWLISTS;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.lists.lockAll(environmentId, tx);
    return new Map(
      rows.map(({ name, outcome, scope }) => [name, { outcome, ...(scope !== null && { scope }) }] as const),
    );
  }

  /** Removals come first, to make room for additions. */
  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const ids = new Map((await this.lists.lockAll(environmentId, tx)).map(({ id, name }) => [name, id]));
    for (const { action, key } of changes) {
      if (action === 'remove') await this.service.remove(environmentId, ids.get(key)!, actor, tx);
    }
    for (const { action, key, after } of changes) {
      if (action === 'remove') continue;
      const terms = termsOf({ ...(after as PostAllowlistsRequest), name: key });
      if (action === 'add') await this.service.insert(environmentId, terms, actor, tx);
      else await this.service.replace(environmentId, ids.get(key)!, terms, actor, tx);
    }
  }
}
