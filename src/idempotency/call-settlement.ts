import type { DeferredWork } from '../database/index.js';
import type { Settlement } from '../common/http/projecting.adapter.js';
import { callTookTooLong } from './idempotency.errors.js';
import type { AnswerSealer } from './answer-seal.js';
import type { KeyedAnswers } from './keyed-answers.js';
import type { KeyedCall } from './keyed-call.js';

/** From here on answers are refusals: nothing was done. */
const FIRST_REFUSAL = 400;

/** How a call with a key ends: with its effect and its answer, or with neither. */
export class CallSettlement implements Settlement {
  private state: 'open' | 'settling' | 'over' = 'open';
  private isGivenUp = false;
  private readonly listeners: { over(): void; handled(): void }[] = [];

  constructor(
    private readonly call: KeyedCall,
    private readonly work: DeferredWork,
    private readonly answers: KeyedAnswers,
    private readonly sealer: AnswerSealer,
  ) {}

  /** Whether nobody has begun to settle the call yet. */
  get isOpen(): boolean {
    return this.state === 'open';
  }

  get isOver(): boolean {
    return this.state === 'over';
  }

  /** Who wants to know when the handler has ended, and when the call is settled. */
  watch(listener: { over(): void; handled(): void }): void {
    this.listeners.push(listener);
  }

  async complete(status: number, body: string | undefined): Promise<void> {
    if (!this.isOpen) throw callTookTooLong();
    this.state = 'settling';
    try {
      if (status < FIRST_REFUSAL) await this.commit(status, body);
      else await this.work.abandon();
    } catch (error) {
      // Whoever answers this error refuses the call, and learns whether the commit came through.
      if (this.state === 'settling') this.state = 'open';
      throw error;
    }
    this.end();
  }

  /**
   * What a call is refused for may be what another one with its key has just done, and then the answer to that one is the
   * right answer to both. The same holds when nobody knows whether the commit came through.
   */
  async refuse(error: unknown): Promise<unknown> {
    // What its handler fails with from then on comes of that.
    if (this.isGivenUp) return callTookTooLong();
    if (!this.isOpen) return error;
    this.state = 'settling';
    await this.work.abandon();
    this.end();
    return this.answers.assertNew(this.call).then(
      () => error,
      (told: unknown) => told,
    );
  }

  /** Gives it up although its handler may still be at work; whatever that does from now on is refused. */
  cancel(): void {
    if (this.state === 'over') return;
    this.isGivenUp = true;
    this.work.cancel();
    this.end();
  }

  handled(): void {
    for (const listener of this.listeners) listener.handled();
  }

  private commit(status: number, body: string | undefined): Promise<void> {
    return this.work.commit((tx) => this.answers.keep(this.call, this.sealer.seal(status, body), tx));
  }

  private end(): void {
    if (this.state === 'over') return;
    this.state = 'over';
    this.sealer.discard();
    for (const listener of this.listeners) listener.over();
  }
}
