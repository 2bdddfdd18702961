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

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('whether a session is live', () => {
  it('is asked at once when nobody else asks', async () => {
    const { asked, isLive } = liveSessions();
    const answer = isLive('a');
    expect(asked.map(({ ids }) => ids)).toEqual([['a']]);
    asked[0]?.answer('a');
    expect(await answer).toBe(true);
  });

  it('is asked in one statement for the calls that came while others were being asked', async () => {
    const { asked, isLive } = liveSessions();
    const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => isLive(id)));
    expect(asked.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
    asked[0]?.answer('a');
    await settled();
    expect(asked[2]?.ids).toEqual(['c', 'd', 'e']);
    asked[2]?.answer('c', 'e');
    asked[1]?.answer();
    expect(await answers).toEqual([true, false, true, false, true]);
  });

  it('is never answered by a statement that began before the question', async () => {
    const { asked, isLive } = liveSessions();
    const before = [isLive('a'), isLive('a')];
    const after = isLive('a');
    asked[0]?.answer('a');
    asked[1]?.answer('a');
    expect(await Promise.all(before)).toEqual([true, true]);
    asked[2]?.answer();
    expect(await after).toBe(false);
  });

  it('is asked for each environment by itself', () => {
    const { asked, isLive } = liveSessions();
    for (const id of ['a', 'b', 'c']) void isLive(id);
    void isLive('d', THERE);
    expect(asked.map(({ environmentId, ids }) => [environmentId, ...ids])).toEqual([
      [HERE, 'a'],
      [HERE, 'b'],
      [THERE, 'd'],
    ]);
  });

  it('is not known to those who shared a statement that failed, and asked again for the next', async () => {
    const { asked, isLive } = liveSessions();
    const first = isLive('a');
    asked[0]?.fail(new Error('connection lost'));
    await expect(first).rejects.toThrow('connection lost');
    const second = isLive('a');
    asked[1]?.answer('a');
    expect(await second).toBe(true);
  });
});
