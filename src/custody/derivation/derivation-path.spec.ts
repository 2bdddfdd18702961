import { describe, expect, it } from '@jest/globals';
import { derivationPath, HARDENED, parseDerivationPath } from './derivation-path.js';
import { EMBEDDED_CHAINS } from '../embedded-chain.js';

describe('derivationPath', () => {
  it.each([
    ['EVM', 0, "m/44'/60'/0'/0/0"],
    ['EVM', 7, "m/44'/60'/0'/0/7"],
    ['SOL', 0, "m/44'/501'/0'/0'"],
    ['SOL', 7, "m/44'/501'/7'/0'"],
    ['SUI', 0, "m/44'/784'/0'/0'/0'"],
    ['SUI', 7, "m/44'/784'/7'/0'/0'"],
    ['BTC', 0, "m/84'/0'/0'/0/0"],
    ['BTC', 2_147_483_647, "m/84'/0'/0'/0/2147483647"],
  ] as const)('%s account %i is at %s', (chain, index, path) => {
    expect(derivationPath(chain, index)).toBe(path);
  });

  it.each([-1, 0.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY])('refuses account %d on every chain', (index) => {
    for (const chain of EMBEDDED_CHAINS) expect(() => derivationPath(chain, index)).toThrow(RangeError);
  });
});

describe('parseDerivationPath', () => {
  it('sets bit 31 of hardened steps', () => {
    expect(parseDerivationPath("m/44'/60'/0'/0/9")).toEqual([HARDENED + 44, HARDENED + 60, HARDENED, 0, 9]);
    expect(parseDerivationPath("m/2147483647'/2147483647")).toEqual([0xffff_ffff, 0x7fff_ffff]);
    expect(parseDerivationPath('m')).toEqual([]);
  });

  it.each([
    '',
    'M/0',
    '0/1',
    'm/',
    'm//0',
    'm/-1',
    'm/01',
    'm/1h',
    "m/1''",
    'm/x',
    'm/2147483648',
    "m/4294967295'",
    'm/ 1',
  ])('refuses %j', (path) => {
    expect(() => parseDerivationPath(path)).toThrow(RangeError);
  });
});
