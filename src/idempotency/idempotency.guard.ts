import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { homeOf, type AuthorizedRequest, type DashboardPrincipal } from '../auth/index.js';
import { operationOf } from '../common/http/operation.js';
import type { ProjectedResponse } from '../common/http/projecting.adapter.js';
import { DeferredWork } from '../database/index.js';
import { CallPatience } from './call-patience.js';
import { CallSettlement } from './call-settlement.js';
import { IDEMPOTENCY_KEY } from './idempotency-key.header.js';
import { KeyedAnswers } from './keyed-answers.js';
import { keyedCall, parseKey } from './keyed-call.js';
import { watchAnswer } from './watch-answer.js';

/** Lets a call with a key take effect once. Comes after the access guard: whoever may not call learns of no answer. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(
    private readonly answers: KeyedAnswers,
    private readonly patience: CallPatience,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthorizedRequest>();
    const header = request.headers[IDEMPOTENCY_KEY];
    if (header === undefined) return true;
    const operation = operationOf(context.getHandler());
    if (!operation?.idempotent) return true;
    return this.admit(context, request, operation.id, parseKey(header));
  }

  /** @throws AnsweredBefore, idempotencyKeyReused */
  private async admit(
    context: ExecutionContext,
    request: AuthorizedRequest,
    operation: string,
    key: string,
  ): Promise<true> {
    const caller = callerOf(request);
    const environmentId = request.environmentId ?? homeOf(caller);
    const holder = { caller: nameOf(caller), operation, organizationId: request.organizationId ?? null };
    const { params, query, body } = request as { params: unknown; query: unknown; body: unknown };
    const call = keyedCall(environmentId, holder, key, { params, query, body });
    await this.answers.assertNew(call);
    const work = DeferredWork.ofRequest;
    if (!work) throw new Error('The application does not let requests with a key in as such.');
    const http = context.switchToHttp();
    const response = http.getResponse<ProjectedResponse>();
    const settlement = new CallSettlement(call, work, this.answers, await this.answers.sealerOf(call));
    response.settlement = settlement;
    watchAnswer(response, settlement, http.getNext(), this.patience.ms);
    return true;
  }
}

function callerOf({ principal }: AuthorizedRequest): DashboardPrincipal {
  if (principal.kind === 'environmentToken' || principal.kind === 'dashboardUser') return principal;
  throw new Error('Calls of end users and of anybody take no key.');
}

/** A member is the same with every credential: who signs in again may repeat a call. */
const nameOf = (caller: DashboardPrincipal): string =>
  caller.kind === 'environmentToken' ? `token ${caller.tokenId}` : `user ${caller.userId}`;
