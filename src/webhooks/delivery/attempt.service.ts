import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import {
  OutboundError,
  OutboundHttp,
  type OutboundResult,
  tenantFailure,
  type TenantFailure,
} from '../../outbound/index.js';
import { clipBody, maskHeaders } from '../masking.js';
import { judgeResponse, nextAttemptDelayMs } from '../retry-schedule.js';
import { RetrySchedules } from '../retry-schedules.js';
import { WebhookSecrets } from '../webhook-secrets.js';
import { signWebhook } from '../webhook-signature.js';
import type { AttemptResult, StoredRequest } from './attempt-result.js';
import type { ClaimedMessage } from './claimed-message.js';
import { messageBody } from './message-body.js';

const USER_AGENT = 'Gatehouse-Webhooks/1';
const RANDOM_STEPS = 2 ** 32;

type Answer = { response: OutboundResult } | { failure: TenantFailure };

/** Makes one attempt: signs, sends, judges. Writes nothing. */
@Injectable()
export class Attempts {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly http: OutboundHttp,
    private readonly schedules: RetrySchedules,
    private readonly clock: Clock,
  ) {}

  /** Every response, and every failure to get one, is a result. @throws only if the secrets cannot be opened */
  async make(message: ClaimedMessage): Promise<AttemptResult> {
    const { headers: own, ...keys } = await this.secrets.openAll(message, message);
    const body = messageBody(message);
    const sentAt = this.timeOf(message);
    const headers = {
      ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signWebhook({
        messageId: message.messageId,
        timestamp: Math.floor(sentAt.getTime() / 1000),
        body,
        ...keys,
      }),
    };
    const startedAt = performance.now();
    const answer = await this.post(message.url, headers, body);
    const durationMs = Math.round(performance.now() - startedAt);
    const secretNames = own.map(({ name }) => name);
    const request = { url: message.url, headers: maskHeaders(headers, secretNames), body: clipBody(body) };
    return this.judge({ message, sentAt, request, secretNames, answer, durationMs });
  }

  /** By the clock of the database: receivers would refuse what a worker with a wrong clock signs. */
  private timeOf({ claimedAt, claimedTick }: ClaimedMessage): Date {
    if (claimedAt === undefined || claimedTick === undefined) return this.clock.now();
    return new Date(claimedAt.getTime() + performance.now() - claimedTick);
  }

  private async post(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
    try {
      return { response: await this.http.send({ method: 'POST', url, headers, body }) };
    } catch (error) {
      if (error instanceof OutboundError) return { failure: tenantFailure(error.kind) };
      throw error;
    }
  }

  private judge(attempt: {
    message: ClaimedMessage;
    sentAt: Date;
    request: StoredRequest;
    secretNames: readonly string[];
    answer: Answer;
    durationMs: number;
  }): AttemptResult {
    const { message, sentAt, request, secretNames, answer, durationMs } = attempt;
    const result = { message, deliveryId: newId(), sentAt, request };
    if ('failure' in answer) {
      const timedOut = answer.failure === 'timeout';
      const response = { error: answer.failure, durationMs };
      return { ...result, outcome: 'failed', timedOut, retryInMs: this.retryIn(message, answer), response };
    }
    const { status, headers, body } = answer.response;
    const judgement = judgeResponse(status);
    const stored = { status, headers: maskHeaders(headers, secretNames), body: clipBody(body), durationMs };
    if (judgement === 'delivered') {
      return { ...result, outcome: 'delivered', timedOut: false, retryInMs: null, response: stored };
    }
    const gone = judgement === 'gone';
    return {
      ...result,
      outcome: gone ? 'gone' : 'failed',
      timedOut: false,
      retryInMs: gone ? null : this.retryIn(message, answer),
      response: { ...stored, error: 'status' },
    };
  }

  private retryIn(message: ClaimedMessage, answer: Answer): number | null {
    const response = 'response' in answer ? answer.response : undefined;
    const retryAfter = response?.headers['retry-after'];
    return nextAttemptDelayMs({
      schedule: this.schedules.of(message.kind),
      attempt: message.attempt,
      status: response?.status,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      failureKind: 'failure' in answer ? answer.failure : 'status',
      now: this.timeOf(message),
      random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
    });
  }
}
