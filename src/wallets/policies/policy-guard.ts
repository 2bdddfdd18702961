import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  effectsOf,
  SigningPolicies,
  SigningPolicy,
  type SigningChain,
  type ExportQuestion,
  type KeyActor,
  type SigningCharge,
  type SigningQuestion,
} from '../../custody/index.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { parsePolicyRule } from './parse-policy-rule.js';
import { PoliciesRepository, type StoredRule } from './policies.repository.js';
import { refusedByPolicy } from './policy.errors.js';
import { findingsOf, judge, type EffectJudgement, type Finding, type Judgement } from './policy-judgement.js';
import type { PolicyRule } from './policy-rule.js';

const refused = (reason: string): Error => refusedByPolicy({ payload: { reason } });

/** What is judged: a signing question, or a trial of one. */
export type JudgedRequest = Omit<SigningQuestion, 'userId' | 'actor'> & { readonly actor: Pick<KeyActor, 'type'> };

interface AskedRules {
  readonly rules: readonly PolicyRule[];
  /** How much of each rule's total is used, by rule id. */
  readonly spent: ReadonlyMap<string, bigint>;
}

export type ExplainedEffect = EffectJudgement & { readonly findings: readonly Finding[] };

export interface ExplainedJudgement extends Judgement {
  readonly effects: readonly ExplainedEffect[];
}

/**
 * Applies the environment's policy, as it stands at that moment, before each signature and each export. Totals are
 * charged once no other policy refuses and before the signature is made, so that concurrent calls cannot exceed them.
 */
@Injectable()
export class PolicyGuard extends SigningPolicy implements OnModuleInit {
  constructor(
    private readonly rules: PoliciesRepository,
    private readonly policies: SigningPolicies,
    private readonly wallets: HeldWalletsRepository,
  ) {
    super();
  }

  onModuleInit(): void {
    this.policies.register(this);
  }

  /** @throws ApiError refused_by_signing_policy */
  override async authorize(question: SigningQuestion): Promise<SigningCharge | null> {
    const { isAllowed, reason, charges } = judgeRequest(question, await this.rulesFor(question));
    if (!isAllowed) throw refused(reason);
    if (charges.length === 0) return null;
    const { environmentId, walletId } = question;
    return async (tx) => {
      this.wallets.pin(environmentId, walletId, tx);
      for (const charge of charges) {
        if (!(await this.rules.charge(environmentId, walletId, charge, tx))) throw refused('it exceeds a total limit');
      }
    };
  }

  /** @throws ApiError refused_by_signing_policy */
  override async authorizeExport({ environmentId, chain }: ExportQuestion): Promise<void> {
    const rules = parsed(await this.rules.listRules(environmentId));
    if (restricts(rules, chain, 'blockExport')) throw refused('keys of wallets on this chain are not exported');
  }

  /** The judgement with each rule's finding on each effect. Charges nothing. */
  async explain(question: JudgedRequest): Promise<ExplainedJudgement> {
    const asked = await this.rulesFor(question);
    const judgement = judgeRequest(question, asked);
    const effects = judgement.effects.map((one) => ({ ...one, findings: findingsOf(asked.rules, one, question) }));
    return { ...judgement, effects };
  }

  private async rulesFor({ environmentId, walletId }: JudgedRequest): Promise<AskedRules> {
    const stored = await this.rules.rulesFor(environmentId, walletId);
    const spent = new Map(stored.map(({ ruleId, total }) => [ruleId, BigInt(total ?? 0)]));
    return { rules: parsed(stored), spent };
  }
}

function judgeRequest(question: JudgedRequest, { rules, spent }: AskedRules): Judgement {
  const { chain, networkId, actor, request } = question;
  const judgement = judge(rules, { chain, networkId, effects: effectsOf(question, request) }, spent);
  return actor.type === 'user' && restricts(rules, chain, 'blockClientSigning')
    ? { ...judgement, isAllowed: false, reason: 'users do not sign with wallets on this chain', charges: [] }
    : judgement;
}

const parsed = (stored: readonly StoredRule[]): PolicyRule[] =>
  stored.map(({ ruleId, definition }) => parsePolicyRule(definition, ruleId));

const restricts = (
  rules: readonly PolicyRule[],
  chain: SigningChain,
  what: keyof NonNullable<PolicyRule['restrictions']>,
): boolean => rules.some((rule) => rule.chain === chain && rule.restrictions?.[what]);
