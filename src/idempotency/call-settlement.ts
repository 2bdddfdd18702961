import type { DeferredWork } from '../database/index.js';
import type { Settlement } from '../common/http/projecting.adapter.js';
import { callTookTooLong } from './idempotency.errors.js';
import type { AnswerSealer } from './answer-seal.js';
import type { KeyedAnswers } from './keyed-answers.js';
import type { KeyedCall } from './keyed-call.js';

/** Responses from this status on are refusals: nothing was done. */
const FIRST_REFUSAL = 400;

/** The outcome of a keyed call: both its effect and its response are committed, or neither. */
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

  /** Whether settling the call has not begun yet. */
  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Registers a listener for the end of the handler and for the settlement. */
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
      // The error handler then refuses the call, which finds out whether the commit succeeded.
      if (this.state === 'settling') this.state = 'open';
      throw error;
    }
    this.end();
  }

  /**
   * A refusal may be caused by what a concurrent call with the same key has just done; then the response to that call
   * is right for both. The same applies when it is unknown whether the commit succeeded.
   */
  async refuse(error: unknown): Promise<unknown> {
    // Later errors of its handler are a consequence of the cancellation.
    if (this.isGivenUp) return callTookTooLong();
    if (!this.isOpen) return error;
    this.state = 'settling';
    await this.work.abandon();
    this.end();
    return this.answers.assertNew(this.call).then(
      () => error,
      (answer: unknown) => answer,
    );
  }

  /** Cancels the call while its handler may still be running; whatever the handler does from now on is rejected. */
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
