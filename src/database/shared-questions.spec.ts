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
  it('are answered one after the other where one answer at a time is made', async () => {
    const { asked, put } = questions(1);
    const answers = Promise.all([1, 2, 3].map(put));
    expect(asked.map(({ batch }) => batch)).toEqual([[1]]);
    asked[0]!.answer([10]);
    await settled();
    expect(asked.map(({ batch }) => batch)).toEqual([[1], [2, 3]]);
    asked[1]!.answer([20, 30]);
    expect(await answers).toEqual([10, 20, 30]);
  });

  it('are a hundred at most', async () => {
    const { asked, put } = questions(1);
    const answers = Promise.all(Array.from({ length: 202 }, (_, at) => put(at)));
    for (let at = 0; at < 4; at++) {
      await settled();
      asked[at]?.answer(asked[at]!.batch);
    }
    expect(asked.map(({ batch }) => batch.length)).toEqual([1, 100, 100, 1]);
    expect(await answers).toEqual(Array.from({ length: 202 }, (_, at) => at));
  });

  it('all fail where one of them would get the answer of another', async () => {
    const { asked, put } = questions(1);
    const first = put(1);
    asked[0]!.answer([]);
    await expect(first).rejects.toThrow('Not every question has an answer.');
  });
});
