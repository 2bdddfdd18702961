import { describe, expect, it } from '@jest/globals';
import type { TokenUse } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { LiveSessions } from './live-sessions.js';
import type { SessionOfUser, SessionsRepository } from './sessions.repository.js';

const HERE = 'here' as EnvironmentId;
const THERE = 'there' as EnvironmentId;

interface Asked {
  readonly environmentId: EnvironmentId;
  readonly ids: string[];
  answer(...live: string[]): void;
  fail(error: Error): void;
}

function liveSessions() {
  const asked: Asked[] = [];
  const tokenUses = (environmentId: EnvironmentId, sessions: readonly SessionOfUser[]): Promise<(TokenUse | null)[]> =>
    new Promise((resolve, fail) => {
      const ids = sessions.map(({ sessionId }) => sessionId);
      const answer = (...live: string[]) => resolve(ids.map((id) => (live.includes(id) ? 'current' : null)));
      asked.push({ environmentId, ids, answer, fail });
    });
  const sessions = new LiveSessions({ tokenUses } as Partial<SessionsRepository> as SessionsRepository);
  const isLive = async (id: string, at = HERE): Promise<boolean> =>
    (await sessions.tokenUse(at, { sessionId: id, userId: 'u', tokenId: 't' })) === 'current';
  return { asked, isLive };
}

/** The end of a turn, when questions leave, and what follows from it. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('whether a session is live', () => {
  it('is asked at the end of the turn when nobody else asks', async () => {
    const { asked, isLive } = liveSessions();
    const answer = isLive('a');
    await turn();
    expect(asked.map(({ ids }) => ids)).toEqual([['a']]);
    asked[0]?.answer('a');
    expect(await answer).toBe(true);
  });

  it('is asked in one statement for the calls of one turn, and for those that came while two were being asked', async () => {
    const { asked, isLive } = liveSessions();
    const answers: Promise<boolean>[] = [];
    for (const together of [['a', 'b'], ['c'], ['d'], ['e']]) {
      answers.push(...together.map((id) => isLive(id)));
      await turn();
    }
    expect(asked.map(({ ids }) => ids)).toEqual([['a', 'b'], ['c']]);
    asked[0]?.answer('a');
    await turn();
    expect(asked[2]?.ids).toEqual(['d', 'e']);
    asked[2]?.answer('e');
    asked[1]?.answer('c');
    expect(await Promise.all(answers)).toEqual([true, false, true, false, true]);
  });

  it('is never answered by a statement that began before the question', async () => {
    const { asked, isLive } = liveSessions();
    const before = [isLive('a'), isLive('a')];
    await turn();
    const after = isLive('a');
    asked[0]?.answer('a');
    expect(await Promise.all(before)).toEqual([true, true]);
    await turn();
    asked[1]?.answer();
    expect(await after).toBe(false);
  });

  it('is asked for each environment by itself', async () => {
    const { asked, isLive } = liveSessions();
    for (const id of ['a', 'b']) void isLive(id);
    void isLive('c', THERE);
    await turn();
    expect(asked.map(({ environmentId, ids }) => [environmentId, ...ids])).toEqual([
      [HERE, 'a', 'b'],
      [THERE, 'c'],
    ]);
  });

  it('is not known to those who shared a statement that failed, and asked again for the next', async () => {
    const { asked, isLive } = liveSessions();
    const first = isLive('a');
    await turn();
    asked[0]?.fail(new Error('connection lost'));
    await expect(first).rejects.toThrow('connection lost');
    const second = isLive('a');
    await turn();
    asked[1]?.answer('a');
    expect(await second).toBe(true);
  });
});
