import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { amountsOf, holdingOf, mintOf, TOKEN_PROGRAMS, tokenAccountOf } from './solana-answers.js';

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
    expect(amountsOf(listed(tokens(), tokens(), tokens(1, [3, 2])), OWNER)).toEqual(
      new Map([
        [MINT, 14n],
        [key(3), 7n],
      ]),
    );
    const ofProgram = { ...tokens(), owner: key(9) };
    for (const other of [tokens(1, [1, 3]), ofProgram])
      expect(() => amountsOf(listed(other), OWNER)).toThrow(/somebody else/);
    expect(tokenAccountOf(ofProgram)).toBeNull();
  });

  it('counts once: a list that has it twice is none', () => {
    const listed = (...names: string[]) => names.map((pubkey) => ({ pubkey, account: tokens() }));
    const wanted = { owner: OWNER, mint: MINT };
    expect(holdingOf(listed(key(5), key(6)), wanted).amount).toBe(14n);
    expect(() => holdingOf(listed(key(5), key(5)), wanted)).toThrow(/twice/);
    expect(() => amountsOf(listed(key(5), key(6), key(5)), OWNER)).toThrow(/twice/);
  });

  it('may be closed by another than its owner, with all that it has if that is wrapped SOL', () => {
    const data = Buffer.from(tokens().data[0]!, 'base64');
    expect(tokenAccountOf(told(data))).toMatchObject({ closeAuthority: null, isNative: false });
    data.writeUInt32LE(1, 109);
    data.writeUInt32LE(1, 129);
    data.fill(7, 133, 165);
    expect(tokenAccountOf(told(data))).toMatchObject({ closeAuthority: key(7), isNative: true });
  });

  it('of Token-2022 is what its mark says, and an amount is delegated only to somebody', () => {
    const marked = (kind: number, isDelegated = false) => {
      const data = Buffer.concat([Buffer.from(tokens().data[0]!, 'base64'), Buffer.of(kind)]);
      data.writeUInt32LE(Number(isDelegated), 72);
      data.writeBigUInt64LE(5n, 121);
      return told(data);
    };
    expect(tokenAccountOf(marked(1))).toBeNull();
    expect(tokenAccountOf(marked(2))).toMatchObject({ delegate: null, delegatedAmount: 0n });
    expect(tokenAccountOf(marked(2, true))).toMatchObject({ delegate: key(0), delegatedAmount: 5n });
  });
});
