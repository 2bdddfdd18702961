import { describe, expect, it } from '@jest/globals';
import { toHex } from 'viem';
import { packetToBytes } from 'viem/ens';
import { domainOf, handleOf, nameOfWire } from './domain-names.js';

describe('a domain', () => {
  it('is known in one spelling', () => {
    expect(domainOf(' Example.ETH ')).toBe('example.eth');
    expect(domainOf('a.b-c.example.eth')).toBe('a.b-c.example.eth');
  });

  it.each([
    'eth',
    '.eth',
    'a..eth',
    '-a.eth',
    'a-.eth',
    'a_b.eth',
    'ä.eth',
    'xn--a.eth',
    'а.eth',
    `${'a'.repeat(64)}.eth`,
    '',
  ])('is never %p', (text) => expect(domainOf(text)).toBeNull());
});

describe('a handle', () => {
  it('is known in one spelling, and is one label of three letters at least', () => {
    expect(handleOf('Ann-1')).toBe('ann-1');
    for (const text of ['an', 'ann.lee', 'ann lee', 'ann\u200d', 'xn--ann', '']) expect(handleOf(text)).toBeNull();
  });
});

describe('a name of the wire', () => {
  it('is what was written', () => {
    expect(nameOfWire(toHex(packetToBytes('ann.example.eth')))).toBe('ann.example.eth');
    expect(nameOfWire('0x00')).toBe('');
  });

  it.each(['0x', '0x03616e', '0x03616e6e', '0x03616e6e0000', '0xc00c'] as const)(
    'that is broken off is none: %s',
    (wire) => expect(nameOfWire(wire)).toBeNull(),
  );
});
