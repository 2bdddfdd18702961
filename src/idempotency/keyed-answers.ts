import { Injectable } from '@nestjs/common';
import { AnsweredBefore } from '../common/http/answered-before.js';
import type { Executor, Transaction } from '../database/index.js';
import { AnswerSeal, type AnswerSealer } from './answer-seal.js';
import { idempotencyKeyInUse, idempotencyKeyReused } from './idempotency.errors.js';
import { IdempotencyKeysRepository, type SealedAnswer } from './idempotency-keys.repository.js';
import type { KeyedCall } from './keyed-call.js';

const RETRY_AFTER_SECONDS = 1;

/** Stored responses of keyed calls. */
@Injectable()
export class KeyedAnswers {
  constructor(
    private readonly keys: IdempotencyKeysRepository,
    private readonly seal: AnswerSeal,
  ) {}

  /** @throws AnsweredBefore, idempotencyKeyReused */
  async assertNew(call: KeyedCall, on?: Executor): Promise<void> {
    const known = await this.keys.find(call, on);
    if (!known) return;
    if (!known.requestHash.equals(call.requestHash)) throw idempotencyKeyReused();
    throw new AnsweredBefore(known.status, await this.seal.open(known.sealedBody, call));
  }

  /** @throws idempotencyKeyInUse */
  async hold(call: KeyedCall, tx: Transaction): Promise<void> {
    if (!(await this.keys.hold(call, tx))) throw idempotencyKeyInUse({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** The sealer for the response of a call. */
  sealerOf(call: KeyedCall): Promise<AnswerSealer> {
    return this.seal.prepare(call);
  }

  async keep(call: KeyedCall, answer: SealedAnswer, tx: Transaction): Promise<void> {
    if (!(await this.keys.insert(call, answer, tx))) throw new Error('A call that is held was answered by another.');
  }
}
