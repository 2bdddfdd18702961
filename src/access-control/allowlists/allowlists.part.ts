import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentParts, type PartState } from '../../environments/index.js';
import { RulesPart } from '../rules/rules.part.js';
import { termsOf, type AllowlistTerms } from './allowlist-terms.js';
import type { PostAllowlistsRequest } from './allowlist.dto.js';
import type { AllowlistRow } from './allowlist.entity.js';
import { AllowlistsRepository, MAX_ALLOWLISTS } from './allowlists.repository.js';
import { AllowlistsService } from './allowlists.service.js';

/**
 * The allowlists of an environment by name, without their entries, which belong to each environment. A list added by a
 * promotion is disabled, since an empty one would let nobody in.
 */
@Injectable()
export class AllowlistsPart extends RulesPart<AllowlistRow, AllowlistTerms> {
  override readonly name = 'allowlists';
  protected override readonly rules: AllowlistsService['rules'];

  constructor(
    private readonly lists: AllowlistsRepository,
    { rules }: AllowlistsService,
    parts: EnvironmentParts,
  ) {
    super();
    this.rules = rules;
    parts.register(this);
  }

  override get most(): number {
    return MAX_ALLOWLISTS;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.lockAll(environmentId, tx);
    return new Map(
      rows.map(({ name, outcome, scope }) => [name, { outcome, ...(scope !== null && { scope }) }] as const),
    );
  }

  protected override lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<AllowlistRow[]> {
    return this.lists.lockAll(environmentId, tx);
  }

  protected override termsOf(name: string, planned: unknown): AllowlistTerms {
    return termsOf({ ...(planned as PostAllowlistsRequest), name });
  }
}
