import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from './scope.js';
import { SharedQuestions } from './shared-questions.js';

const HERE = 'here' as EnvironmentId;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function questions(atOnce: number) {
  const asked: { batch: readonly number[]; answer(answers: readonly number[]): void }[] = [];
  const shared = new SharedQuestions<number, number>(
    (_, batch) => new Promise((answer) => void asked.push({ batch, answer })),
    atOnce,
  );
  return { asked, put: (question: number) => shared.put(HERE, question) };
}

describe('questions that wait together', () => {
  it('are those of one turn, and then those that came while these were answered', async () => {
    const { asked, put } = questions(1);
    const first = Promise.all([1, 2].map(put));
    await settled();
    const later: Promise<number>[] = [];
    for (const question of [3, 4]) {
      later.push(put(question));
      await settled();
    }
    expect(asked.map(({ batch }) => batch)).toEqual([[1, 2]]);
    asked[0]!.answer([10, 20]);
    expect(await first).toEqual([10, 20]);
    await settled();
    expect(asked.map(({ batch }) => batch)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    asked[1]!.answer([30, 40]);
    expect(await Promise.all(later)).toEqual([30, 40]);
  });

  it('wait for nobody while fewer answers are made than may be', async () => {
    const { asked, put } = questions(2);
    const answers: Promise<number>[] = [];
    for (const question of [1, 2, 3]) {
      answers.push(put(question));
      await settled();
    }
    expect(asked.map(({ batch }) => batch)).toEqual([[1], [2]]);
    asked[1]!.answer([20]);
    await settled();
    asked[0]!.answer([10]);
    await settled();
    asked[2]!.answer([30]);
    expect(await Promise.all(answers)).toEqual([10, 20, 30]);
  });

  it('are a hundred at most', async () => {
    const { asked, put } = questions(2);
    const answers = Promise.all(Array.from({ length: 202 }, (_, at) => put(at)));
    await settled();
    expect(asked.map(({ batch }) => batch.length)).toEqual([100, 100]);
    for (const { answer, batch } of asked) answer(batch);
    await settled();
    await settled();
    expect(asked.map(({ batch }) => batch.length)).toEqual([100, 100, 2]);
    asked[2]!.answer(asked[2]!.batch);
    expect(await answers).toEqual(Array.from({ length: 202 }, (_, at) => at));
  });

  it('all fail where one of them would get the answer of another', async () => {
    const { asked, put } = questions(1);
    const first = put(1);
    await settled();
    asked[0]!.answer([]);
    await expect(first).rejects.toThrow('Not every question has an answer.');
  });
});
