import { describe, expect, it } from '@jest/globals';
import { chosenChains, defaultChains, missingChains } from './wallet-chains.js';

describe('the chains of a request', () => {
  it('are those of the list and the single one, each once and in one order', () => {
    expect(chosenChains({ chains: ['SOL', 'EVM', 'SOL'], chain: 'BTC' })).toEqual(['EVM', 'SOL', 'BTC']);
    expect(chosenChains({ chain: 'SUI' })).toEqual(['SUI']);
    expect(chosenChains({ chains: ['EVM'], chain: 'EVM' })).toEqual(['EVM']);
  });

  it('are none when it names none', () => {
    expect(chosenChains({})).toEqual([]);
    expect(chosenChains({ chains: [] })).toEqual([]);
  });
});

describe('the chains of the settings', () => {
  it('are those enabled and supported', () => {
    const configured = [
      { name: 'SOL', enabled: true },
      { name: 'EVM', enabled: true },
      { name: 'BTC', enabled: false },
      { name: 'FLOW', enabled: true },
    ];
    expect(defaultChains(configured)).toEqual(['EVM', 'SOL']);
  });

  it('are EVM when they name none', () => {
    expect(defaultChains([])).toEqual(['EVM']);
    expect(defaultChains(undefined)).toEqual(['EVM']);
  });

  it.each([
    ['switched off', [{ name: 'SOL', enabled: false }]],
    ['switched off, EVM as well', ['EVM', 'SOL'].map((name) => ({ name, enabled: false }))],
    ['of chains on which no wallet is made', [{ name: 'FLOW', enabled: true }]],
  ])('are not EVM when all that they name are %s: the request has to name some', (_, configured) => {
    const asked = async () => defaultChains(configured);
    return expect(asked()).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

describe('the chains still to be made', () => {
  it('are the wanted ones that are not there, in the order of all inserts', () => {
    expect(missingChains(['BTC', 'SOL', 'EVM'], ['SOL'])).toEqual(['EVM', 'BTC']);
    expect(missingChains(['EVM'], ['EVM', 'SOL'])).toEqual([]);
  });
});
