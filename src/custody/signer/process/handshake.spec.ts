import { duplexPair, type Duplex } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { shakeHands } from './handshake.js';

/** A signer that greets whoever is at the other end. */
function greeted(): { greeting: Promise<void>; stranger: Duplex; near: Duplex } {
  const [near, stranger] = duplexPair();
  return { greeting: shakeHands(near, 's'.repeat(32), 'signer'), stranger, near };
}

describe('a greeting', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('of a stranger is read no further than one takes', async () => {
    const { greeting, stranger, near } = greeted();
    const length = Buffer.alloc(4);
    length.writeUInt32BE(513);
    stranger.write(length);
    await expect(greeting).rejects.toThrow('A frame has at most 512 bytes.');
    expect(near.destroyed).toBe(true);
  });

  it('is waited for five seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const { greeting, near } = greeted();
    const refused = expect(greeting).rejects.toThrow('The other side went away.');
    jest.advanceTimersByTime(4_999);
    expect(near.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(near.destroyed).toBe(true);
    await refused;
  });
});
