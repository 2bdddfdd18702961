import { describe, expect, it } from '@jest/globals';
import { timesOf } from './cpu-profile.js';

const node = (id: number, functionName: string, url = '', lineNumber = 0, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber },
  children,
});

const PROFILE = {
  nodes: [
    node(1, '(idle)'),
    node(2, 'sign', 'file:///a/dist/src/token.js', 9, [5]),
    node(3, '', 'file:///a/node_modules/pg/lib/client.js', 0),
    node(4, 'sign', 'file:///a/dist/src/token.js', 9),
    node(5, 'signOneShot', 'node:internal/crypto/sig', 1, [6]),
    node(6, 'write'),
    node(7, '(garbage collector)'),
    node(8, 'x', 'file:///a/node_modules/@nestjs/core/dist/y.js', 2),
  ],
  samples: [1, 2, 3, 4, 6, 7, 8],
  timeDeltas: [90_000, 2000, 1000, 1000, 4000, 1500, 500],
};

describe('timesOf', () => {
  const { functions, owners } = timesOf(PROFILE);

  it('adds up samples of one function, leaves idle time out, and puts the most first', () => {
    expect(functions.map(({ name, milliseconds }) => [name, milliseconds])).toEqual([
      ['write', 4],
      ['sign src/token.js:10', 3],
      ['(garbage collector)', 1.5],
      ['(anonymous) pg/lib/client.js:1', 1],
      ['x @nestjs/core/dist/y.js:3', 0.5],
    ]);
    expect(functions[0]?.share).toBe(0.4);
  });

  it('charges the runtime to whoever called it', () => {
    expect(owners.map(({ name, milliseconds }) => [name, milliseconds])).toEqual([
      ['src/token.js', 7],
      ['(runtime)', 1.5],
      ['pg', 1],
      ['@nestjs/core', 0.5],
    ]);
  });

  it('can leave the beginning out', () => {
    expect(timesOf(PROFILE, 98).functions.map(({ name }) => name)).toEqual([
      '(garbage collector)',
      'x @nestjs/core/dist/y.js:3',
    ]);
  });
});
