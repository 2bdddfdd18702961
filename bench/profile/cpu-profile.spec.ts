import { describe, expect, it } from '@jest/globals';
import { selfTimes } from './cpu-profile.js';

const node = (id: number, functionName: string, url = '', lineNumber = 0) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

describe('selfTimes', () => {
  it('adds up samples of one function, leaves idle time out, and puts the most first', () => {
    const times = selfTimes({
      nodes: [
        node(1, '(idle)'),
        node(2, 'sign', 'file:///a/dist/src/token.js', 9),
        node(3, '', 'file:///a/node_modules/pg/client.js', 0),
        node(4, 'sign', 'file:///a/dist/src/token.js', 9),
      ],
      samples: [1, 2, 3, 4],
      timeDeltas: [90_000, 2000, 1000, 1000],
    });
    expect(times).toEqual([
      { name: 'sign src/token.js:10', milliseconds: 3, share: 0.75 },
      { name: '(anonymous) pg/client.js:1', milliseconds: 1, share: 0.25 },
    ]);
  });
});
