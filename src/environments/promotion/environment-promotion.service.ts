import { Injectable } from '@nestjs/common';
import { TenantDirectory, type EnvironmentId, type TenantEnvironment } from '../../auth/index.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { canonicalJson } from '../../common/canonical-json.js';
import { ChangeLog, SERVICE, type Actor } from '../../organizations/index.js';
import type { EnvironmentPart } from './environment-part.js';
import { EnvironmentParts } from './environment-parts.js';
import { exceptionsOf } from './exceptions.js';
import { additionsBeyond } from './part-differences.js';
import type { LeftItem, PartChange } from './part-plan.js';
import { PromotionLocksRepository } from './promotion-locks.repository.js';
import {
  changesOf,
  sealPlan,
  type PartStates,
  type PlannedPart,
  type PromotionPlan,
  type PromotionRequest,
} from './promotion-plan.js';
import { PromotionRefusedError } from './promotion-refused.error.js';
import { ENVIRONMENT_PROMOTED } from './promotion.events.js';

/** The plan to apply: the plan itself, or its digest. */
export type Expected = { plan: unknown } | { digest: string };

const DRIFT = 'The plan is outdated: nothing was written. Make a new plan and review it.';

/** Aligns an environment with another of the same organization, following a reviewed plan. */
@Injectable()
export class EnvironmentPromotion {
  constructor(
    private readonly parts: EnvironmentParts,
    private readonly tenants: TenantDirectory,
    private readonly locks: PromotionLocksRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws PromotionRefusedError */
  async plan(request: PromotionRequest): Promise<PromotionPlan> {
    const [source, target] = await this.pairOf(request);
    return this.work.run((tx) => this.draw(request, source, target, tx));
  }

  /**
   * Recomputes the plan under locks and applies it if it is the expected one: all of it, or nothing.
   *
   * @throws PromotionRefusedError
   */
  async apply(request: PromotionRequest, expected: Expected, actor: Actor = SERVICE): Promise<PromotionPlan> {
    const [source, target] = await this.pairOf(request);
    return this.work.run(async (tx) => {
      const plan = await this.draw(request, source, target, tx);
      if (!isExpected(plan, expected)) throw new PromotionRefusedError(DRIFT, 'outdated');
      if (changesOf(plan) === 0) return plan;
      for (const { part, changes } of plan.parts) {
        if (changes.length > 0) await this.part(part).apply(request.to, changes, actor, tx);
      }
      // Roll back if a part wrote something that its plan did not show.
      const rest = await this.draw(request, source, target, tx);
      if (changesOf(rest) > 0)
        throw new Error(`The plan did not bring the target in line: ${canonicalJson(rest.parts)}`);
      await this.record(request, plan, actor, tx);
      return plan;
    });
  }

  private async draw(
    request: PromotionRequest,
    source: TenantEnvironment,
    target: TenantEnvironment,
    tx: Transaction,
  ): Promise<PromotionPlan> {
    const { from, to, prune } = request;
    const exceptions = exceptionsOf(request.except);
    await this.locks.take([from, to], tx);
    const states: PartStates[] = [];
    const parts: PlannedPart[] = [];
    for (const part of this.parts.all().filter(({ name }) => !exceptions.covers(name))) {
      const read = new Map<EnvironmentId, PartStates['from']>();
      let size = 0;
      for (const id of [from, to].sort()) {
        const whole = await part.read(id, tx);
        read.set(id, exceptions.without(part.name, whole));
        if (id === to) size = whole.size;
      }
      const state = { part: part.name, from: read.get(from)!, to: read.get(to)! };
      const planned = part.plan(state.from, state.to, { targetKind: target.kind, prune });
      const refused = planned.changes.length > 0 ? await this.refusals(part, to, { ...planned, size }, tx) : [];
      if (planned.changes.length + planned.left.length > 0)
        parts.push({ part: part.name, ...planned, ...(refused.length > 0 && { refused }) });
      states.push(state);
    }
    const named = ({ id, kind }: TenantEnvironment): PromotionPlan['from'] => ({ environmentId: id, kind });
    return sealPlan({ from: named(source), to: named(target), prune, except: exceptions.paths, parts }, states);
  }

  private async refusals(
    part: EnvironmentPart,
    to: EnvironmentId,
    { changes, size }: { changes: readonly PartChange[]; size: number },
    tx: Transaction,
  ): Promise<LeftItem[]> {
    const refused = [...(await part.refusals(to, changes, tx)), ...additionsBeyond(part.most, size, changes)];
    return refused.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  private async record(
    { from, to }: PromotionRequest,
    { digest }: PromotionPlan,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const change = {
      event: ENVIRONMENT_PROMOTED,
      resource: { type: 'environment', id: to },
      before: null,
      after: { id: to, fromEnvironmentId: from, planDigest: digest },
    };
    await this.changes.record({ scope: { environmentId: to }, actor, ...change }, tx);
  }

  private part(name: string): ReturnType<EnvironmentParts['all']>[number] {
    const part = this.parts.all().find((known) => known.name === name);
    if (!part) throw new Error(`There is no part ${name}.`);
    return part;
  }

  private async pairOf({ from, to, except }: PromotionRequest): Promise<[TenantEnvironment, TenantEnvironment]> {
    if (from === to) throw new PromotionRefusedError('An environment cannot be promoted to itself.');
    const unknown = exceptionsOf(except).unknownAmong(this.parts.all().map(({ name }) => name));
    if (unknown !== null) throw new PromotionRefusedError(`There is nothing called ${unknown} to except.`);
    const source = await this.environment(from);
    const target = await this.environment(to);
    if (source.organizationId === null || source.organizationId !== target.organizationId) {
      throw new PromotionRefusedError('Both environments must be of one organization.', 'unknown');
    }
    return [source, target];
  }

  private async environment(id: EnvironmentId): Promise<TenantEnvironment> {
    const found = await this.tenants.findEnvironment(id);
    if (!found) throw new PromotionRefusedError(`There is no environment ${id}.`, 'unknown');
    return found;
  }
}

const isExpected = (plan: PromotionPlan, expected: Expected): boolean =>
  'digest' in expected ? plan.digest === expected.digest : canonicalJson(plan) === canonicalJson(expected.plan);
