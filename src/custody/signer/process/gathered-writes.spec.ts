import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { gatherWrites } from './gathered-writes.js';

/** Notes what reaches the kernel together. */
function sink() {
  const calls: string[][] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      calls.push([chunk.toString()]);
      done();
    },
    writev: (chunks, done) => {
      calls.push(chunks.map(({ chunk }) => (chunk as Buffer).toString()));
      done();
    },
  });
  const say = (text: string): void => {
    gatherWrites(stream);
    stream.write(text);
  };
  return { calls, stream, say };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('what is written in one turn', () => {
  it('leaves together, whichever promise said it, and what is written later leaves later', async () => {
    const { calls, say } = sink();
    say('a');
    await Promise.all([1, 2].map(async (one) => say(String(one))));
    await turn();
    say('b');
    await turn();
    expect(calls).toEqual([['a', '1', '2'], ['b']]);
  });

  it('leaves at once when the stream ends in it, and holds nothing back afterwards', async () => {
    const { calls, stream, say } = sink();
    say('a');
    say('b');
    stream.end();
    await turn();
    expect(calls).toEqual([['a', 'b']]);
    expect(stream.writableCorked).toBe(0);
  });
});
