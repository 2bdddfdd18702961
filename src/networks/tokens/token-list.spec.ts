import { describe, expect, it } from '@jest/globals';
import { checksumAddress, type Address } from 'viem';
import { SHIPPED_TOKENS } from './shipped-tokens.js';
import { isSolanaAddress, parseTokenList } from './token-list.js';

describe('the short list of tokens', () => {
  it('has addresses with the checksums of EIP-55, or of 32 bytes in base58', () => {
    const wrong = SHIPPED_TOKENS.filter(({ chain, address }) =>
      chain === 'EVM' ? checksumAddress(address as Address) !== address : !isSolanaAddress(address),
    );
    expect(wrong).toEqual([]);
  });
});

describe('a token list', () => {
  const token = { chainId: 1, address: `0x${'ab'.repeat(20)}`, name: 'Token', symbol: 'TKN', decimals: 18 };

  it('leaves out entries that are none', () => {
    const broken = [{ ...token, decimals: 99 }, { ...token, address: '0x1' }, { ...token, symbol: '' }, null, 'text'];
    const text = JSON.stringify({ tokens: [token, ...broken, { ...token, logoURI: 'javascript:alert(1)' }] });
    expect(parseTokenList(text).map(({ symbol, logoURI }) => [symbol, logoURI])).toEqual([
      ['TKN', ''],
      ['TKN', ''],
    ]);
  });

  it('leaves out tokens whose names have invisible characters, and cuts long ones between characters', () => {
    const odd = [
      { ...token, symbol: 'US\u200bDC' },
      { ...token, name: '\u202eniocsU' },
      { ...token, name: 'USD\u0000 Coin' },
      { ...token, name: `${'x'.repeat(99)}😀` },
    ];
    const names = parseTokenList(JSON.stringify({ tokens: odd })).map(({ name }) => name);
    expect(names).toEqual(['x'.repeat(99)]);
  });

  it('is refused when it has no tokens', () => {
    expect(() => parseTokenList('{}')).toThrow('no tokens');
    expect(() => parseTokenList('nonsense')).toThrow();
  });
});
