import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  UnitOfWork,
  violatedConstraint,
  type EnvironmentId,
  type Transaction,
  type Work,
} from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { EnabledRules } from '../decisions/enabled-rules.js';
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
  constructor(
    private readonly lists: AllowlistsRepository,
    private readonly enabled: EnabledRules,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

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
    return work.run((tx) => this.insert(environmentId, terms, actor, tx));
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
      return this.replace(environmentId, id, termsOf({ ...keptBy(row, request), ...request }), actor, tx);
    });
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.remove(environmentId, id, actor, tx));
  }

  async setEnabled(environmentId: EnvironmentId, id: string, isEnabled: boolean, actor: Actor): Promise<Allowlist> {
    return this.work.run(async (tx) => {
      const row = await this.lists.lock(environmentId, { id }, tx);
      if (!row) throw notFound();
      if (!(await this.lists.switch(environmentId, id, isEnabled, tx))) return shown(row);
      const after = shown((await this.lists.find(environmentId, { id }, tx))!);
      const event = isEnabled ? ALLOWLIST_ENABLED : ALLOWLIST_DISABLED;
      const change = { event, resource: resourceOf(id), before: shown(row), after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      tx.afterCommit(() => this.enabled.forget(environmentId));
      return after;
    });
  }

  /** Takes validated terms, in the caller's transaction. @throws allowlistAlreadyExists, tooManyAllowlists */
  async insert(environmentId: EnvironmentId, terms: AllowlistTerms, actor: Actor, tx: Transaction): Promise<Allowlist> {
    const row = await this.lists.insertWithinLimit(environmentId, { id: newId(), ...terms }, tx).catch(isTaken);
    if (!row) throw tooManyAllowlists();
    const after = shown(row);
    const change = { event: ALLOWLIST_CREATED, resource: resourceOf(row.id), before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    return after;
  }

  /** Takes validated terms, in the caller's transaction. The same terms are no change. @throws allowlistAlreadyExists */
  async replace(
    environmentId: EnvironmentId,
    id: string,
    { scope, ...terms }: AllowlistTerms,
    actor: Actor,
    tx: Transaction,
  ): Promise<Allowlist> {
    const row = await this.lists.lock(environmentId, { id }, tx);
    if (!row) throw notFound();
    if (isDeepStrictEqual(heldBy(row), { scope, ...terms })) return shown(row);
    await this.lists.rescope(environmentId, id, scope, tx);
    const [updated] = await this.lists.update(environmentId, { id }, terms, tx).catch(isTaken);
    const after = shown(updated!);
    const change = { event: ALLOWLIST_UPDATED, resource: resourceOf(id), before: shown(row), after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    tx.afterCommit(() => this.enabled.forget(environmentId));
    return after;
  }

  /** Deletes the list and its entries, in the caller's transaction. @throws notFound */
  async remove(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const row = await this.lists.lock(environmentId, { id }, tx);
    if (!row) throw notFound();
    await this.lists.delete(environmentId, { id }, tx);
    const before = shown(row);
    const change = { event: ALLOWLIST_DELETED, resource: resourceOf(id), before, after: null, data: before };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    tx.afterCommit(() => this.enabled.forget(environmentId));
  }
}

const heldBy = ({ name, outcome, scope }: AllowlistRow): AllowlistTerms => ({ name, outcome, scope });
const resourceOf = (id: string) => ({ type: 'allowlist', id });

/** What stays of a list, unless the request names it. */
function keptBy({ name, outcome, scope }: AllowlistRow, request: PostAllowlistsRequest): PostAllowlistsRequest {
  const isLeft = outcome === 'scope' && (request.outcome ?? outcome) !== 'scope';
  return { name, outcome, ...(scope !== null && !isLeft && { scope }) };
}

/** The unique index decides between concurrent lists with the same name. */
function isTaken(error: unknown): never {
  throw violatedConstraint(error) === ALLOWLIST_NAME ? allowlistAlreadyExists({ cause: error }) : error;
}
