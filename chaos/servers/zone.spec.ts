import { describe, expect, it } from '@jest/globals';
import { findAnswers, type Entry } from './zone.js';

const zone = new Map<string, Entry>([
  ['both.example', { addresses: ['192.0.2.1', '2001:db8::1', '192.0.2.2'] }],
  ['turns.example', { turns: ['192.0.2.1', '192.0.2.2'] }],
  ['alias.example', { alias: 'both.example' }],
  ['lost.example', { alias: 'nowhere.example' }],
  ['broken.example', 'failure'],
  ['silent.example', 'silence'],
]);
const ask = (type: string, name: string, turn = 0): unknown => {
  const found = findAnswers(zone, type, name, turn);
  return typeof found === 'string' ? found : found.map(({ data }) => data);
};

describe('a zone', () => {
  it('answers with the addresses of the kind that is asked for', () => {
    expect(ask('A', 'both.example')).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(ask('AAAA', 'both.example')).toEqual(['2001:db8::1']);
    expect(ask('TXT', 'both.example')).toEqual([]);
  });

  it('binds a name anew for each lookup, which is a question for each kind of address', () => {
    expect([0, 1, 2, 3, 4].map((turn) => ask('A', 'turns.example', turn))).toEqual(
      ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.1'].map((address) => [address]),
    );
  });

  it('follows an alias, and says both', () => {
    expect(ask('A', 'alias.example')).toEqual(['both.example', '192.0.2.1', '192.0.2.2']);
    expect(ask('A', 'lost.example')).toBe('unknown');
  });

  it('fails, is silent, and does not know other names', () => {
    expect(['broken.example', 'silent.example', 'other.example'].map((name) => ask('A', name))).toEqual([
      'failure',
      'silence',
      'unknown',
    ]);
  });
});
