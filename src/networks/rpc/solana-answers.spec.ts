import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { holdingOf, mintOf, TOKEN_PROGRAMS, tokenAccountOf } from './solana-answers.js';

const key = (byte: number): string => base58.encode(Buffer.alloc(32, byte));
const [MINT, OWNER] = [key(1), key(2)];
const told = (data: Buffer) => ({ owner: TOKEN_PROGRAMS[0], data: [data.toString('base64'), 'base64'] });
/** 7 of a token, at an account in this state. */
const tokens = (state = 1, [mint, owner] = [1, 2]) => {
  const data = Buffer.alloc(165);
  data.fill(mint, 0, 32).fill(owner, 32, 64);
  data.writeBigUInt64LE(7n, 64);
  data[108] = state;
  return told(data);
};
const mint = (isInitialised: boolean) => {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(1_000n, 36);
  data[44] = 6;
  data[45] = Number(isInitialised);
  return told(data);
};

describe('an account of a token program', () => {
  it('is a mint, or holds tokens, once it was initialised', () => {
    expect(mintOf(mint(true))).toEqual({ supply: 1_000n, decimals: 6 });
    expect(mintOf(mint(false))).toBeNull();
    expect(tokenAccountOf(tokens())).toMatchObject({ mint: MINT, owner: OWNER, amount: 7n, delegate: null });
    expect(tokenAccountOf(tokens(0))).toBeNull();
  });

  it('counts for its owner and its mint alone', () => {
    const listed = (...accounts: object[]) => accounts.map((account) => ({ account }));
    const wanted = { owner: OWNER, mint: MINT };
    expect(holdingOf(listed(tokens(), tokens()), wanted)).toEqual({ amount: 14n, accounts: 2 });
    for (const other of [tokens(1, [3, 2]), tokens(1, [1, 3])])
      expect(() => holdingOf(listed(tokens(), other), wanted)).toThrow(/somebody else/);
  });
});
