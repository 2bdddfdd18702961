import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { isVisible } from '../../common/visible-text.js';
import { UnitOfWork, type EnvironmentId, type Transaction, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { parsePolicyRule } from './parse-policy-rule.js';
import { PoliciesRepository, type StoredRule } from './policies.repository.js';
import type { WaasPolicyResponse, WaasPolicyRule } from './policy.dto.js';
import type { SigningPolicyRow } from './policy.entity.js';
import { invalidPolicyRule, tooManyPolicyRules } from './policy.errors.js';
import { POLICY_CREATED, POLICY_UPDATED } from './policy.events.js';
import { PolicyRulesRepository } from './policy-rules.repository.js';
import { assertNotMistyped } from './mistyped-rules.js';

export const MOST_RULES = 100;
const NAME_LENGTH = 255;

/** The signing policy of an environment, as edited by the team. Each change locks the policy, so none is lost. */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly policies: PoliciesRepository,
    private readonly rules: PolicyRulesRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws ApiError not_found */
  async get(environmentId: EnvironmentId): Promise<WaasPolicyResponse> {
    const row = await this.policies.find(environmentId, {});
    if (!row) throw notFound();
    return shown(row, await this.policies.listRules(environmentId));
  }

  /** @throws ApiError invalid_policy_rule, too_many_policy_rules */
  async add(
    environmentId: EnvironmentId,
    rulesToAdd: readonly WaasPolicyRule[],
    actor: Actor,
    work: Work,
  ): Promise<WaasPolicyResponse> {
    if (rulesToAdd.length === 0) throw refused('rulesToAdd has no rule');
    const added = rulesToAdd.map(({ ruleId, ...definition }) => {
      if (ruleId !== undefined) throw refused('a new rule is given its ruleId by the service');
      return checked(newId(), definition);
    });
    return work.run(async (tx) => {
      const row = await this.policies.hold(environmentId, tx);
      if (row)
        return this.change(
          environmentId,
          row,
          (policyId) => this.insert(environmentId, policyId, added, tx),
          actor,
          tx,
        );
      const made = await this.policies.insert(environmentId, { id: newId() }, tx);
      await this.insert(environmentId, made.id, added, tx);
      const after = shown(made, await this.policies.listRules(environmentId, undefined, tx));
      const about = { event: POLICY_CREATED, resource: resourceOf(made.id), before: null, after };
      await this.changes.record({ scope: { environmentId }, actor, ...about }, tx);
      return after;
    });
  }

  /** @throws ApiError not_found for an unknown rule or policy, invalid_policy_rule */
  async update(
    environmentId: EnvironmentId,
    rulesToUpdate: readonly WaasPolicyRule[],
    actor: Actor,
  ): Promise<WaasPolicyResponse> {
    if (rulesToUpdate.length === 0) throw refused('rulesToUpdate has no rule');
    const updated = rulesToUpdate.map(({ ruleId, ...definition }) => {
      if (ruleId === undefined) throw refused('a rule that is to be changed is named by its ruleId');
      return checked(ruleId.toLowerCase(), definition);
    });
    if (new Set(updated.map(({ id }) => id)).size < updated.length) throw refused('a rule is named twice');
    return this.work.run(async (tx) => {
      const apply = async (): Promise<void> => {
        for (const { id, definition } of updated) {
          const rows = await this.rules.update(environmentId, { id }, { definition }, tx);
          if (rows.length === 0) throw notFound();
        }
      };
      return this.change(environmentId, await this.held(environmentId, tx), apply, actor, tx);
    });
  }

  /** @throws ApiError not_found for an unknown rule or policy; then no rule is deleted */
  async remove(environmentId: EnvironmentId, ruleIds: readonly string[], actor: Actor): Promise<WaasPolicyResponse> {
    if (ruleIds.length === 0) throw refused('ruleIdsToDelete has no id');
    return this.work.run(async (tx) => {
      const apply = async (): Promise<void> => {
        for (const id of new Set(ruleIds.map((ruleId) => ruleId.toLowerCase()))) {
          if ((await this.rules.delete(environmentId, { id }, tx)) === 0) throw notFound();
        }
      };
      return this.change(environmentId, await this.held(environmentId, tx), apply, actor, tx);
    });
  }

  private async held(environmentId: EnvironmentId, tx: Transaction): Promise<SigningPolicyRow> {
    const row = await this.policies.hold(environmentId, tx);
    if (!row) throw notFound();
    return row;
  }

  private async insert(
    environmentId: EnvironmentId,
    policyId: string,
    added: readonly Checked[],
    tx: Transaction,
  ): Promise<void> {
    const present = await this.policies.listRules(environmentId, undefined, tx);
    if (present.length + added.length > MOST_RULES) throw tooManyPolicyRules();
    await this.rules.insertMany(
      environmentId,
      added.map((one) => ({ ...one, policyId })),
      tx,
    );
  }

  private async change(
    environmentId: EnvironmentId,
    row: SigningPolicyRow,
    apply: (policyId: string) => Promise<void>,
    actor: Actor,
    tx: Transaction,
  ): Promise<WaasPolicyResponse> {
    const before = shown(row, await this.policies.listRules(environmentId, undefined, tx));
    await apply(row.id);
    await this.policies.touch(environmentId, tx);
    const now = await this.policies.find(environmentId, {}, tx);
    const after = shown(now!, await this.policies.listRules(environmentId, undefined, tx));
    const about = { event: POLICY_UPDATED, resource: resourceOf(row.id), before, after };
    await this.changes.record({ scope: { environmentId }, actor, ...about }, tx);
    return after;
  }
}

interface Checked {
  readonly id: string;
  readonly definition: Omit<WaasPolicyRule, 'ruleId'>;
}

function checked(id: string, definition: Omit<WaasPolicyRule, 'ruleId'>): Checked {
  const { name } = definition;
  if (!isVisible(name) || name.length > NAME_LENGTH)
    throw refused(`a rule needs a name of at most ${NAME_LENGTH} characters`);
  assertNotMistyped(definition, parsePolicyRule(definition, id));
  return { id, definition };
}

function shown(row: SigningPolicyRow, stored: readonly StoredRule[]): WaasPolicyResponse {
  const policyContent = stored.map(({ ruleId, definition }) => ({ ruleId, ...definition }));
  const { id, environmentId, createdAt, updatedAt } = row;
  return {
    message: policyContent.some(({ ruleType }) => ruleType === 'allow')
      ? 'Only what a rule of the type allow fits is signed.'
      : 'Everything is signed that no rule of the type deny fits.',
    ...{ policyId: id, projectEnvironmentId: environmentId, createdAt, updatedAt, policyContent },
  };
}

const resourceOf = (id: string) => ({ type: 'signingPolicy', id });
const refused = (reason: string): Error => invalidPolicyRule({ payload: { reason } });
