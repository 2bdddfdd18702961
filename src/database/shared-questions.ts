import type { EnvironmentId } from './scope.js';

const MAX_BATCH = 100;

interface Waiting<Q, A> {
  readonly question: Q;
  readonly answer: (answer: A) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Batches questions about one environment that are asked in the same turn of the event loop, or queue together: a busy
 * environment needs one statement for many calls, and an idle one adds no delay. A question is only answered by a
 * statement that began after it was asked; a failure rejects all questions of its batch.
 */
export class SharedQuestions<Q, A> {
  private readonly waiting = new Map<EnvironmentId, Waiting<Q, A>[]>();
  private readonly running = new Map<EnvironmentId, number>();

  /**
   * @param answerAll answers in the order of the questions
   * @param atOnce concurrent batches per environment: with a second one, a slow answer does not delay the rest
   */
  constructor(
    private readonly answerAll: (environmentId: EnvironmentId, questions: readonly Q[]) => Promise<readonly A[]>,
    private readonly atOnce = 2,
  ) {}

  put(environmentId: EnvironmentId, question: Q): Promise<A> {
    return new Promise((answer, fail) => {
      const waiting = this.waiting.get(environmentId) ?? [];
      waiting.push({ question, answer, fail });
      this.waiting.set(environmentId, waiting);
      if (waiting.length === 1) this.nextAfterTurn(environmentId);
    });
  }

  /** Waits for the end of the turn, so that calls and responses received together share a batch. */
  private nextAfterTurn(environmentId: EnvironmentId): void {
    setImmediate(() => this.next(environmentId));
  }

  private next(environmentId: EnvironmentId): void {
    const running = this.running.get(environmentId) ?? 0;
    const waiting = this.waiting.get(environmentId);
    if (!waiting || running >= this.atOnce) return;
    const batch = waiting.splice(0, MAX_BATCH);
    this.running.set(environmentId, running + 1);
    void this.settle(environmentId, batch).finally(() => {
      const left = (this.running.get(environmentId) ?? 1) - 1;
      if (left === 0) this.running.delete(environmentId);
      else this.running.set(environmentId, left);
      this.nextAfterTurn(environmentId);
    });
    if (waiting.length === 0) this.waiting.delete(environmentId);
    else this.next(environmentId);
  }

  private async settle(environmentId: EnvironmentId, batch: readonly Waiting<Q, A>[]): Promise<void> {
    try {
      const answers = await this.answerAll(
        environmentId,
        batch.map(({ question }) => question),
      );
      if (answers.length !== batch.length) throw new Error('Not every question has an answer.');
      for (const [at, { answer }] of batch.entries()) answer(answers[at]!);
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }
}
