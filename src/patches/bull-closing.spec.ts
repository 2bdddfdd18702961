import { createRequire } from 'node:module';
import { describe, expect, it, jest } from '@jest/globals';
import Bull from 'bull';
import type { Command, Redis } from 'ioredis';
import { BULL, closeInTime, keepPromises } from './bull-closing.js';

const { version } = createRequire(import.meta.url)('bull/package.json') as { version: string };
const READ_AGAIN = 'Read what Bull does when it closes, then write the new version into bull-closing.ts.';

describe('the patch of how Bull closes', () => {
  it('is for the version that is installed', () => {
    expect(`${version} ${READ_AGAIN}`).toBe(`${BULL} ${READ_AGAIN}`);
  });

  it('takes the place of methods that Bull has', () => {
    const methods = Bull.prototype as unknown as Record<string, unknown>;
    for (const name of ['setWorkerName', 'whenCurrentJobsFinished', 'process', 'close']) {
      expect([name, typeof methods[name]]).toEqual([name, 'function']);
    }
  });

  it('leaves no promise that nobody looks at', async () => {
    const queue: Record<string, () => Promise<void>> = {};
    keepPromises(Object.assign(queue, { clients: [], process: () => Promise.resolve() }) as unknown as Bull.Queue);
    for (const name of ['setWorkerName', 'whenCurrentJobsFinished']) {
      await expect(queue[name]?.()).resolves.toBeUndefined();
    }
  });

  it('looks at the promise of every command of every connection', () => {
    const looked: string[] = [];
    const client = () => ({ sendCommand: () => 'sent' });
    const command = (name: string) => ({ promise: { catch: () => looked.push(name) } }) as unknown as Command;
    const [first, later] = [client(), client()] as unknown as [Redis, Redis];
    const clients = [first];
    keepPromises({ clients, process: () => Promise.resolve() } as unknown as Bull.Queue);
    expect(clients.push(later)).toBe(2);
    expect([first.sendCommand(command('first')), later.sendCommand(command('later'))]).toEqual(['sent', 'sent']);
    expect(looked).toEqual(['first', 'later']);
  });

  it.each<[string, Error | undefined, string[]]>([
    ['nothing, when it is closed before its connections stand', undefined, []],
    ['an error', new Error('NOPERM'), ['NOPERM']],
  ])('looks at the promise of taking jobs that fails with %s', async (_with, failure, expected) => {
    const said: string[] = [];
    const emit = (_name: string, error: Error) => said.push(error.message);
    const queue = { clients: [], emit, process: jest.fn<() => Promise<void>>().mockRejectedValue(failure) };
    keepPromises(queue as unknown as Bull.Queue);
    // Dropped, as the module of Bull does: were nobody to look, this very test would fail.
    void queue.process();
    await expect(queue.process()).rejects.toBe(failure);
    expect(said).toEqual([...expected, ...expected]);
  });

  it('breaks connections off that do not end, and reports what they said', async () => {
    const said: string[] = [];
    let broken = 0;
    let fail: (error: Error) => void = () => undefined;
    const client = { disconnect: () => (broken++, fail(new Error('broken off'))) };
    const queue = { clients: [client], close: () => new Promise<void>((_, reject) => (fail = reject)) };
    closeInTime(queue as unknown as Bull.Queue, (error) => said.push(error.message));
    await queue.close();
    expect([broken, said]).toEqual([1, ['broken off']]);
  });
});
