import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { EnabledRules } from '../decisions/enabled-rules.js';
import { RecordedRules, type RuleKind } from '../rules/recorded-rules.js';
import type { Allowlist, PostAllowlistsRequest } from './allowlist.dto.js';
import { ALLOWLIST_NAME, type AllowlistRow } from './allowlist.entity.js';
import { allowlistAlreadyExists, tooManyAllowlists } from './allowlist.errors.js';
import {
  ALLOWLIST_CREATED,
  ALLOWLIST_DELETED,
  ALLOWLIST_DISABLED,
  ALLOWLIST_ENABLED,
  ALLOWLIST_UPDATED,
} from './allowlist.events.js';
import { shown, termsOf, type AllowlistTerms } from './allowlist-terms.js';
import { AllowlistsRepository } from './allowlists.repository.js';

/** The allowlists of an environment. */
@Injectable()
export class AllowlistsService {
  /** Changes within a caller's transaction. */
  readonly rules: RecordedRules<AllowlistRow, AllowlistTerms, Allowlist>;

  constructor(
    private readonly lists: AllowlistsRepository,
    private readonly work: UnitOfWork,
    enabled: EnabledRules,
    changes: ChangeLog,
  ) {
    this.rules = new RecordedRules(ALLOWLIST, lists, enabled, changes);
  }

  async list(environmentId: EnvironmentId): Promise<Allowlist[]> {
    return (await this.lists.listAll(environmentId)).map(shown);
  }

  async get(environmentId: EnvironmentId, id: string): Promise<Allowlist> {
    const row = await this.lists.find(environmentId, { id });
    if (!row) throw notFound();
    return shown(row);
  }

  /** @throws invalidAllowlist, allowlistAlreadyExists, tooManyAllowlists */
  async create(
    environmentId: EnvironmentId,
    request: PostAllowlistsRequest,
    actor: Actor,
    work: Work,
  ): Promise<Allowlist> {
    const terms = termsOf(request);
    return work.run((tx) => this.rules.insert(environmentId, terms, actor, tx));
  }

  /**
   * Changes only the fields in the request. The scope goes with the outcome `scope` unless the request names one: no
   * request can name an empty scope.
   *
   * @throws invalidAllowlist, allowlistAlreadyExists
   */
  async update(
    environmentId: EnvironmentId,
    id: string,
    request: PostAllowlistsRequest,
    actor: Actor,
  ): Promise<Allowlist> {
    return this.work.run(async (tx) => {
      const row = await this.lists.lockToRename(environmentId, { id }, tx);
      if (!row) throw notFound();
      return this.rules.replace(environmentId, id, termsOf({ ...keptBy(row, request), ...request }), actor, tx);
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.rules.remove(environmentId, id, actor, tx));
  }

  async setEnabled(environmentId: EnvironmentId, id: string, isEnabled: boolean, actor: Actor): Promise<Allowlist> {
    return this.work.run((tx) => this.rules.switch(environmentId, id, isEnabled, actor, tx));
  }
}

const ALLOWLIST: RuleKind<AllowlistRow, AllowlistTerms, Allowlist> = {
  type: 'allowlist',
  events: {
    created: ALLOWLIST_CREATED,
    updated: ALLOWLIST_UPDATED,
    enabled: ALLOWLIST_ENABLED,
    disabled: ALLOWLIST_DISABLED,
    deleted: ALLOWLIST_DELETED,
  },
  nameIndex: ALLOWLIST_NAME,
  isTaken: allowlistAlreadyExists,
  isFull: tooManyAllowlists,
  termsOf: ({ name, outcome, scope }) => ({ name, outcome, scope }),
  shown,
};

/** What stays of a list, unless the request names it. */
function keptBy({ name, outcome, scope }: AllowlistRow, request: PostAllowlistsRequest): PostAllowlistsRequest {
  const isLeft = outcome === 'scope' && (request.outcome ?? outcome) !== 'scope';
  return { name, outcome, ...(scope !== null && !isLeft && { scope }) };
}
