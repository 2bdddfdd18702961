import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { hasPriorityFee, usualFee, withPriorityFee } from '../fees/priority-fee.js';
import {
  decodeTransaction,
  encodeTransaction,
  transactionBytes,
  writableAccounts,
  type SolanaTransaction,
} from './solana-transaction.js';

const account = (n: number): string => base58.encode(new Uint8Array(32).fill(n));
const transaction: SolanaTransaction = {
  signatures: [new Uint8Array(64), new Uint8Array(64)],
  version: 0,
  ...{ requiredSignatures: 2, readonlySigned: 1, readonlyUnsigned: 1 },
  accounts: [1, 2, 3, 4].map(account),
  blockhash: account(9),
  instructions: [{ programIndex: 3, accounts: [0, 2, 4, 5], data: Uint8Array.from({ length: 200 }, (_, at) => at) }],
  lookups: [{ table: account(8), writable: [0], readonly: [1] }],
};

describe('a Solana transaction', () => {
  it('is the same after it was written and read', () => {
    expect(decodeTransaction(encodeTransaction(transaction))).toEqual(transaction);
    const { lookups, ...rest } = transaction;
    const legacy = {
      ...rest,
      version: null,
      lookups: [],
      instructions: [{ ...rest.instructions[0]!, accounts: [0, 2] }],
    };
    expect(lookups).toHaveLength(1);
    expect(decodeTransaction(encodeTransaction(legacy))).toEqual(legacy);
  });

  it('says which accounts it may write to', () => {
    expect(writableAccounts(transaction)).toEqual([account(1), account(3)]);
  });

  it('is none when it ends too early, goes on, or contradicts itself', () => {
    const bytes = encodeTransaction(transaction);
    const broken = [
      bytes.subarray(0, -1),
      Uint8Array.from([...bytes, 0]),
      encodeTransaction({ ...transaction, accounts: [1, 1, 3, 4].map(account) }),
      encodeTransaction({ ...transaction, requiredSignatures: 1 }),
      new Uint8Array(0),
    ];
    for (const each of broken) expect(transactionBytes(Buffer.from(each).toString('base64'))).toBeNull();
    expect(transactionBytes(base58.encode(bytes))).toEqual(bytes);
  });

  it('finds accounts of tables where they were after a priority fee was added', () => {
    const paying = withPriorityFee(transaction, 7n);
    // Four accounts of its own became five, so those of tables begin one later.
    expect(paying.instructions[0]!.accounts).toEqual([0, 2, 5, 6]);
    expect([hasPriorityFee(transaction), hasPriorityFee(decodeTransaction(encodeTransaction(paying)))]).toEqual([
      false,
      true,
    ]);
    expect(writableAccounts(paying)).toEqual(writableAccounts(transaction));
  });
});

describe('the usual priority fee', () => {
  it('was enough in three of four recent blocks', () => {
    expect(usualFee([1n, 4n, 2n, 3n, 5n])).toBe(4n);
    expect([usualFee([]), usualFee([0n, 0n])]).toEqual([null, null]);
  });
});
