import type { DeferredWork } from '../database/index.js';
import type { Settlement } from '../common/http/projecting.adapter.js';
import type { KeyedAnswers } from './keyed-answers.js';
import type { KeyedCall } from './keyed-call.js';

/** How a call with a key ends: with its effect and its answer, or with neither. */
export class CallSettlement implements Settlement {
  constructor(
    private readonly call: KeyedCall,
    private readonly work: DeferredWork,
    private readonly answers: KeyedAnswers,
  ) {
    // The other call with this key may have ended since it was asked for: looked at again, while nobody else can.
    work.arm(async (tx) => {
      await answers.hold(call, tx);
      await answers.assertNew(call, tx);
    });
  }

  complete(status: number, body: string | undefined): Promise<void> {
    return this.work.commit((tx) => this.answers.keep(this.call, status, body, tx));
  }

  /**
   * What a call is refused for may be what another one with its key has just done, and then the answer to that one is the
   * right answer to both. The same holds when nobody knows whether the commit came through.
   */
  async refuse(error: unknown): Promise<unknown> {
    await this.work.abandon();
    return this.answers.assertNew(this.call).then(
      () => error,
      (told: unknown) => told,
    );
  }
}
