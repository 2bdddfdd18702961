import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { homeOf, type DashboardPrincipal } from '../auth/index.js';
import { operationOf } from '../common/http/operation.js';
import type { ProjectedResponse } from '../common/http/projecting.adapter.js';
import { UnitOfWork, type Work } from '../database/index.js';
import type { AnswerSealer } from './answer-seal.js';
import { CallPatience } from './call-patience.js';
import type { WorkingRequest } from './call-admission.js';
import { CallSettlement } from './call-settlement.js';
import { IDEMPOTENCY_KEY } from './idempotency-key.header.js';
import { KeyedAnswers } from './keyed-answers.js';
import { keyedCall, parseKey, type KeyedCall } from './keyed-call.js';
import { watchAnswer } from './watch-answer.js';

/** Lets a call with a key take effect once. Guards that run after this one decide first: see `CallAdmission`. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(
    private readonly answers: KeyedAnswers,
    private readonly patience: CallPatience,
    private readonly work: UnitOfWork,
  ) {}

  canActivate(context: ExecutionContext): true {
    const operation = operationOf(context.getHandler());
    if (!operation?.idempotent) return true;
    const request = context.switchToHttp().getRequest<WorkingRequest>();
    const header = request.headers[IDEMPOTENCY_KEY];
    if (header === undefined) {
      request.work = this.work;
      return true;
    }
    const key = parseKey(header);
    request.admit = () => this.admit(context, request, operation.id, key);
    return true;
  }

  /** @throws AnsweredBefore, idempotencyKeyReused */
  private async admit(
    context: ExecutionContext,
    request: WorkingRequest,
    operation: string,
    key: string,
  ): Promise<void> {
    const caller = callerOf(request);
    const environmentId = request.environmentId ?? homeOf(caller);
    const holder = { caller: nameOf(caller), operation, organizationId: request.organizationId ?? null };
    const { params, query, body } = request as { params: unknown; query: unknown; body: unknown };
    const call = keyedCall(environmentId, holder, key, { params, query, body });
    await this.answers.assertNew(call);
    request.work = this.settled(call, context, await this.answers.sealerOf(call));
  }

  /** The work of a call, settled together with its response. */
  private settled(call: KeyedCall, context: ExecutionContext, sealer: AnswerSealer): Work {
    const work = this.work.deferred(async (tx) => {
      await this.answers.hold(call, tx);
      // A call with this key may have ended since the first check, so check again while holding the lock.
      await this.answers.assertNew(call, tx);
    });
    const http = context.switchToHttp();
    const response = http.getResponse<ProjectedResponse>();
    const settlement = new CallSettlement(call, work, this.answers, sealer);
    response.settlement = settlement;
    watchAnswer(response, settlement, http.getNext(), this.patience.ms);
    return work;
  }
}

function callerOf({ principal }: WorkingRequest): DashboardPrincipal {
  if (principal.kind === 'environmentToken' || principal.kind === 'dashboardUser') return principal;
  throw new Error('Calls of end users and of anybody take no key.');
}

/** A member is the same caller with every credential, so a call can be retried after a new sign-in. */
const nameOf = (caller: DashboardPrincipal): string =>
  caller.kind === 'environmentToken' ? `token ${caller.tokenId}` : `user ${caller.userId}`;
