import { describe, expect, it } from '@jest/globals';
import { Transaction as SuiTransaction } from '@mysten/sui/transactions';
import { base58 } from '@scure/base';
import { payments, Psbt, Transaction } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { serializeTransaction, type Hex } from 'viem';
import type { EmbeddedChain } from '../../embedded-chain.js';
import { addressOf, keyOf, message, text } from '../signing.fixture.js';
import type { SigningRequest } from '../signing-request.js';
import { UNKNOWN } from './effect.js';
import { readable } from './examine.js';
import { networkFeeOf } from './network-fee.js';

const feeOf = (chain: EmbeddedChain, request: SigningRequest) => {
  const account = { chain, address: addressOf(chain) };
  readable(account, request);
  return networkFeeOf(account, request);
};

describe('the most that the network may take', () => {
  it('is nothing of a message', () => {
    for (const chain of ['EVM', 'SOL', 'SUI', 'BTC'] as const) expect(feeOf(chain, message(text))).toBe(0n);
  });

  it('on EVM is gas at its highest price, in each form of a transaction', () => {
    const to: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const of = (transaction: Hex) => feeOf('EVM', { kind: 'evmTransaction', transaction });
    const shared = { chainId: 1, to, gas: 21_000n };
    expect(of(serializeTransaction({ ...shared, maxFeePerGas: 7n, maxPriorityFeePerGas: 1n }))).toBe(147_000n);
    expect(of(serializeTransaction({ ...shared, gasPrice: 3n }))).toBe(63_000n);
    expect(of(serializeTransaction({ ...shared, type: 'eip2930', gasPrice: 2n, accessList: [] }))).toBe(42_000n);
    expect(of(serializeTransaction({ chainId: 1, to, maxFeePerGas: 7n }))).toBe(0n);
  });

  it('on Sui is the budget, where the wallet pays', async () => {
    const of = async (owner: string) => {
      const made = new SuiTransaction();
      made.setSender(addressOf('SUI'));
      made.setGasOwner(owner);
      made.setGasPayment([
        { objectId: `0x${'3'.repeat(64)}`, version: '7', digest: base58.encode(Buffer.alloc(32, 5)) },
      ]);
      made.setGasPrice(1000);
      made.setGasBudget(5_000_000);
      return feeOf('SUI', { kind: 'suiTransaction', transaction: Buffer.from(await made.build()) });
    };
    expect(await of(addressOf('SUI'))).toBe(5_000_000n);
    expect(await of(`0x${'4'.repeat(64)}`)).toBe(0n);
  });
});

describe('on Solana', () => {
  const budget = base58.decode('ComputeBudget111111111111111111111111111111');
  const check = base58.decode('Ed25519SigVerify111111111111111111111111111');
  const own = base58.decode(addressOf('SOL'));
  const other = Buffer.alloc(32, 9);
  const number = (tag: number, value: bigint, bytes: 4 | 8): Buffer => {
    const data = Buffer.alloc(1 + bytes, tag);
    if (bytes === 8) data.writeBigUInt64LE(value, 1);
    else data.writeUInt32LE(Number(value), 1);
    return data;
  };
  const [price, limit] = [(value: bigint) => number(3, value, 8), (value: bigint) => number(2, value, 4)];
  const of = (data: readonly Buffer[], { signers = [own], program = budget, at = -1 } = {}) => {
    const programAt = at < 0 ? signers.length : at;
    const head = Buffer.of(signers.length, 0, 1, signers.length + 1);
    const instructions = data.flatMap((one) => [Buffer.of(programAt, 0, one.length), one]);
    const body = [head, ...signers, program, Buffer.alloc(32, 1), Buffer.of(data.length), ...instructions];
    const transaction = Buffer.concat([Buffer.of(signers.length), Buffer.alloc(64 * signers.length), ...body]);
    return feeOf('SOL', { kind: 'solanaTransaction', transaction });
  };

  it('it is that of the signatures, and the price of units times their limit', () => {
    expect(of([])).toBe(5_000n);
    expect(of([], { signers: [own, other] })).toBe(10_000n);
    expect(of([price(10n), limit(300_000n)])).toBe(5_003n);
    expect(of([price(1n), limit(1n)])).toBe(5_001n);
    expect(of([price(1_000_000n)])).toBe(1_405_000n);
    expect(of([limit(300_000n), number(1, 1n, 4), number(4, 1n, 4)])).toBe(5_000n);
    expect(of([price(2n ** 64n - 1n), limit(1_400_000n)])).toBe(5_000n + ((2n ** 64n - 1n) * 14n + 9n) / 10n);
  });

  it('it is somebody else’s where the wallet does not pay', () => {
    expect(of([price(1_000_000n)], { signers: [other, own] })).toBe(0n);
  });

  it('it is open where a price is written in another way or twice, and where programs check signatures', () => {
    for (const data of [
      [Buffer.concat([price(1n), Buffer.of(0)])],
      [price(1n), price(2n)],
      [limit(1n), limit(2n)],
      [number(0, 1n, 8)],
      [Buffer.alloc(0)],
    ]) {
      expect(of(data)).toBe(UNKNOWN);
    }
    expect(of([Buffer.of(1)], { program: check })).toBe(UNKNOWN);
    // A program that the transaction does not name itself may be one that checks signatures.
    expect(of([Buffer.of(1)], { at: 2 })).toBe(UNKNOWN);
  });
});

describe('on Bitcoin', () => {
  const own = payments.p2wpkh({ pubkey: secp256k1.pointFromScalar(keyOf('BTC'), true)! });
  const previous = (value: bigint): Transaction => {
    const made = new Transaction();
    made.addInput(Buffer.alloc(32, Number(value % 251n)), 0);
    made.addOutput(own.output!, value);
    return made;
  };
  const whole = (value: bigint) => {
    const made = previous(value);
    return { hash: made.getHash(), index: 0, nonWitnessUtxo: made.toBuffer() };
  };
  const told = (value: bigint) => ({
    hash: Buffer.alloc(32, 1),
    index: 0,
    witnessUtxo: { script: own.output!, value },
  });
  const of = (inputs: Parameters<Psbt['addInput']>[0][], paid: bigint) => {
    const made = new Psbt().addInputs(inputs);
    made.addOutput({ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', value: paid });
    return feeOf('BTC', { kind: 'psbt', psbt: made.toBuffer() });
  };

  it('it is what goes to no output', () => {
    expect(of([told(90_000n)], 1_000n)).toBe(89_000n);
    expect(of([whole(90_000n)], 1_000n)).toBe(89_000n);
    expect(of([whole(90_000n), whole(5_000n)], 94_000n)).toBe(1_000n);
    expect(of([told(90_000n)], 90_001n)).toBe(UNKNOWN);
  });

  it('it is open where one of several inputs is told without its transaction, which no signature would prove', () => {
    expect(of([whole(90_000n), told(1n)], 1_000n)).toBe(UNKNOWN);
  });
});
