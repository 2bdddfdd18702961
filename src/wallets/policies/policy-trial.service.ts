import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { readable, UNKNOWN } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { signingRequestOf } from '../signing/signing-request.js';
import type { WaasPolicyTrial, WaasPolicyTrialEffect, WaasPolicyTrialRequest } from './policy-trial.dto.js';
import { PolicyGuard, type ExplainedEffect } from './policy-guard.js';

/** Says how the policy would judge a signature, without making it or charging any total. */
@Injectable()
export class PolicyTrialService {
  constructor(
    private readonly wallets: HeldWalletsRepository,
    private readonly guard: PolicyGuard,
  ) {}

  /** @throws ApiError not_found, validation_failed, unsignable_request */
  async judge(
    environmentId: EnvironmentId,
    { walletId, request: body }: WaasPolicyTrialRequest,
  ): Promise<WaasPolicyTrial> {
    const request = signingRequestOf(body);
    const wallet = await this.wallets.findOfAnyone(environmentId, walletId);
    if (!wallet) throw notFound();
    const { networkId } = readable(wallet, request);
    const question = { ...wallet, environmentId, request, networkId, actor: { type: 'user' } as const };
    const { isAllowed, reason, effects } = await this.guard.explain(question);
    return { allowed: isAllowed, reason, effects: effects.map(shown) };
  }
}

function shown({ effect, findings, isAllowed, reason }: ExplainedEffect): WaasPolicyTrialEffect {
  const { to, value, token } = effect;
  return {
    ...(to !== UNKNOWN && { to }),
    ...(value !== UNKNOWN && { value: String(value) }),
    ...(token && { asset: token.asset, amount: String(token.amount) }),
    ...{ allowed: isAllowed, reason },
    rules: findings.map(({ rule: { ruleId, name, ruleType }, answer, because }) => ({
      ...{ rule: { ruleId, name, ruleType }, fits: answer, because },
    })),
  };
}
