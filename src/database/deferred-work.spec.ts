import { describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { DeferredWork } from './deferred-work.js';
import { HeldConnections } from './held-connections.js';

/** Work on a connection that answers COMMIT as told, and everything else as a server would. */
function workOn(commit: () => Promise<{ command: string }>) {
  const query = (asked: string | { text: string }) => {
    const text = typeof asked === 'string' ? asked : asked.text;
    return text === 'COMMIT' ? commit() : Promise.resolve({ command: text, rows: [], rowCount: 0 });
  };
  const client = { query, release: () => undefined } as unknown as PoolClient;
  const connections = new HeldConnections({ connect: async () => client, bounds: { most: 2, waitMs: 1_000 } });
  return new DeferredWork(connections, false, async () => undefined);
}

const ANSWERS = {
  committed: async () => ({ command: 'COMMIT' }),
  'rolled back': async () => ({ command: 'ROLLBACK' }),
  refused: () => Promise.reject(Object.assign(new Error('a constraint'), { code: '23514' })),
  lost: () => Promise.reject(new Error('Connection terminated unexpectedly')),
  silent: () => Promise.reject(new Error('Query read timeout')),
  reset: () => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })),
  'timed out': () => Promise.reject(Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' })),
  unreachable: () => Promise.reject(Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH' })),
};

/** What the callbacks of one unit have noted. */
async function noted(answer: keyof typeof ANSWERS, end: (work: DeferredWork) => Promise<void>): Promise<string[]> {
  const notes: string[] = [];
  const work = workOn(ANSWERS[answer]);
  await work.run(async (tx) => {
    tx.afterCommit(() => notes.push('committed'));
    tx.afterUndo(() => notes.push('undone'));
  });
  const failing = work.run(async (tx) => {
    tx.afterUndo(() => notes.push('undone by itself'));
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  await end(work);
  return notes;
}

/** As a call is settled: what could not be committed is abandoned. */
const settle = (work: DeferredWork): Promise<void> => work.commit(async () => undefined).catch(() => work.abandon());

describe('a unit of work that is committed later', () => {
  it.each<[keyof typeof ANSWERS, string[]]>([
    ['committed', ['committed']],
    ['rolled back', ['undone']],
    ['refused', ['undone']],
    ['lost', []],
    ['silent', []],
    ['reset', []],
    ['timed out', []],
    ['unreachable', []],
  ])('whose commit is %s is told %j: undone is only what is certain', async (answer, expected) => {
    expect(await noted(answer, settle)).toEqual(expected);
  });

  it('is told once that it was undone, whether its work is abandoned or cancelled', async () => {
    const ends: ((work: DeferredWork) => Promise<void>)[] = [
      (work) => work.abandon(),
      async (work) => work.cancel(),
      async (work) => {
        work.cancel();
        await work.abandon();
      },
    ];
    for (const end of ends) {
      const notes = await noted('committed', end);
      await new Promise(setImmediate);
      expect(notes).toEqual(['undone']);
    }
  });

  it('is not committed once its work was cancelled', async () => {
    const work = workOn(ANSWERS.committed);
    const notes: string[] = [];
    await work.run(async (tx) => {
      tx.afterCommit(() => notes.push('committed'));
      tx.afterUndo(() => notes.push('undone'));
    });
    const committing = work.commit(async () => work.cancel());
    await expect(committing).rejects.toThrow('has ended');
    expect(notes).toEqual(['undone']);
  });

  it.each<[string, (lose: (error: Error) => void, answer: () => void, work: DeferredWork) => void]>([
    [
      'its connection is closed',
      (lose, _answer, work) => {
        work.cancel();
        lose(new Error('Connection terminated unexpectedly'));
      },
    ],
    [
      'its last statement was answered',
      (_lose, answer, work) => {
        answer();
        work.cancel();
      },
    ],
  ])('that is cancelled while a unit runs fails it as undone, although %s', async (_, cancel) => {
    const notes: string[] = [];
    const asked = Promise.withResolvers<void>();
    const work = workOn(ANSWERS.committed);
    const running = work.run(async (tx) => {
      tx.afterUndo(() => notes.push('undone'));
      await asked.promise;
    });
    const failed = expect(running).rejects.toThrow('has ended');
    await new Promise(setImmediate);
    cancel(asked.reject, asked.resolve, work);
    await failed;
    expect(notes).toEqual([]);
  });
});
