import { describe, expect, it } from '@jest/globals';
import { Transaction as SuiTransaction } from '@mysten/sui/transactions';
import { base58 } from '@scure/base';
import {
  address as solanaAddressOf,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Instruction,
} from '@solana/kit';
import { initEccLib, payments, Psbt } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { encodeFunctionData, erc20Abi, parseAbi, serializeTransaction, type Hex } from 'viem';
import type { EmbeddedChain } from '../../embedded-chain.js';
import { addressOf, keyOf, message, text } from '../signing.fixture.js';
import type { SigningRequest } from '../signing-request.js';
import { OPAQUE, UNKNOWN } from './effect.js';
import { effectsOf, readable } from './examine.js';

const effects = (chain: EmbeddedChain, request: SigningRequest) => {
  const account = { chain, address: addressOf(chain) };
  readable(account, request);
  return effectsOf(account, request);
};

const unreadable = (reason: string) =>
  expect.objectContaining({
    code: 'unsignable_request',
    details: expect.objectContaining({ payload: { reason } }),
  });

it('of a message nothing is known, on any chain', () => {
  for (const chain of ['EVM', 'SOL', 'SUI', 'BTC'] as const) expect(effects(chain, message(text))).toEqual([OPAQUE]);
});

describe('on EVM', () => {
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const of = (fields: { to?: Hex; value?: bigint; data?: Hex }) =>
    effects('EVM', {
      kind: 'evmTransaction',
      transaction: serializeTransaction({ chainId: 1, maxFeePerGas: 1n, ...fields }),
    });

  it('a payment is to somebody and of so much', () => {
    expect(of({ to, value: 5n })).toEqual([{ to, value: 5n, token: null, call: null }]);
    expect(of({ data: '0x6000' })[0]).toMatchObject({ to: null, value: 0n, token: null });
  });

  it('a transfer and an approval of a token are of so much, written in the one way only', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 7n] });
    expect(of({ to, data })).toEqual([
      { to, alsoTo: [to], value: 0n, token: { asset: to, amount: 7n }, call: { kind: 'function', data } },
    ]);
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, 9n] });
    expect(of({ to, data: approval })[0]!.token).toEqual({ asset: to, amount: 9n });
    const dirty = data.replace(/^(0xa9059cbb)00/, '$1ff') as Hex;
    expect(of({ to, data: dirty })[0]!.token).toBeNull();
    expect(of({ to, data: `${data}00` })[0]!.token).toBeNull();
  });

  it('a call is one however short its data is, and so is the code of a new contract', () => {
    expect(of({ to, data: '0x01' })).toEqual([
      { to, value: 0n, token: null, call: { kind: 'function', data: '0x01' } },
    ]);
    expect(of({ data: '0x6000' })[0]!.call).toEqual({ kind: 'function', data: '0x6000' });
  });

  it('a transfer out of an allowance is of so much, and one that is cut off may be for anyone', () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [to, to, 7n] });
    expect(of({ to, data })[0]!.token).toEqual({ asset: to, amount: 7n });
    expect(of({ to, data: data.slice(0, -64) as Hex })[0]).toMatchObject({ token: null, alsoTo: [UNKNOWN] });
  });

  it('who is given a token, or the right to it, is an addressee as well, unless it is written in another way', () => {
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
    const abi = parseAbi([
      'function approve(address spender, uint256 amount)',
      'function safeTransferFrom(address from, address to, uint256 id)',
      'function setApprovalForAll(address operator, bool approved)',
    ]);
    const calls = [
      encodeFunctionData({ abi, functionName: 'approve', args: [other, 9n] }),
      encodeFunctionData({ abi, functionName: 'safeTransferFrom', args: [to, other, 9n] }),
      encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [other, true] }),
    ];
    for (const data of calls) {
      expect(of({ to, data })[0]!.alsoTo).toEqual([other]);
      expect(of({ to, data: `${data}00` })[0]!.alsoTo).toEqual([UNKNOWN]);
    }
  });

  it('typed data is addressed to the contract that takes it, and its amounts are unknown', () => {
    const typedData = {
      types: {
        Permit: [
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      domain: { chainId: 1, verifyingContract: to.toLowerCase() },
      message: { spender: to, value: '12' },
    };
    const [effect, ...others] = effects('EVM', { kind: 'typedData', typedData });
    expect(others).toEqual([]);
    expect(effect).toMatchObject({ to, value: UNKNOWN, token: null });
    expect(effect!.call).toMatchObject({ primaryType: 'Permit', members: [{ value: to }, { value: '12' }] });
    expect(effect!.alsoTo).toEqual([to]);
  });

  it('typed data names who receives by an address alone', () => {
    const typedData = {
      types: { Note: [{ name: 'to', type: 'string' }] },
      primaryType: 'Note',
      domain: { chainId: 1 },
      message: { to },
    };
    expect(effects('EVM', { kind: 'typedData', typedData })[0]).not.toHaveProperty('alsoTo');
  });
});

describe('on Solana', () => {
  const own = () => solanaAddressOf(addressOf('SOL'));
  const receiver = solanaAddressOf('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
  const mint = solanaAddressOf('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
  const system = solanaAddressOf('11111111111111111111111111111111');
  const tokens = solanaAddressOf('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
  const table = solanaAddressOf('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
  const numbers = (first: Buffer, amount: bigint, ...rest: number[]) => {
    const eight = Buffer.alloc(8);
    eight.writeBigUInt64LE(amount);
    return new Uint8Array(Buffer.concat([first, eight, Buffer.from(rest)]));
  };
  const transfer = (): Instruction => ({
    programAddress: system,
    accounts: [
      { address: own(), role: 3 },
      { address: receiver, role: 1 },
    ],
    data: numbers(Buffer.of(2, 0, 0, 0), 10n),
  });
  const budget: Instruction = {
    programAddress: solanaAddressOf('ComputeBudget111111111111111111111111111111'),
    data: numbers(Buffer.of(3), 1n),
  };
  const of = (instructions: Instruction[], isCompressed = false) => {
    const lifetime = { blockhash: blockhash('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N'), lastValidBlockHeight: 1n };
    const made = pipe(
      createTransactionMessage({ version: 0 }),
      (one) => setTransactionMessageFeePayer(own(), one),
      (one) => setTransactionMessageLifetimeUsingBlockhash(lifetime, one),
      (one) => appendTransactionMessageInstructions(instructions, one),
    );
    const compiled = compileTransaction(
      isCompressed ? compressTransactionMessageUsingAddressLookupTables(made, { [table]: [receiver] }) : made,
    );
    const transaction = Buffer.from(getTransactionEncoder().encode(compiled));
    return effects('SOL', { kind: 'solanaTransaction', transaction });
  };

  const ofToken = (data: Uint8Array): Instruction => ({
    programAddress: tokens,
    accounts: [own(), mint, receiver].map((address) => ({ address, role: 1 as const })),
    data,
  });

  it('each instruction by itself: a payment, a transfer of a token, a program of which nothing is known', () => {
    const checked = ofToken(numbers(Buffer.of(12), 8n, 6));
    const unchecked = ofToken(numbers(Buffer.of(3), 8n));
    expect(of([budget, transfer(), checked, unchecked])).toEqual([
      { to: receiver, alsoTo: [system], value: 10n, token: null, call: null },
      { to: receiver, alsoTo: [tokens], value: 0n, token: { asset: mint, amount: 8n }, call: null },
      { ...OPAQUE, to: tokens, alsoTo: [mint] },
    ]);
    expect(of([budget])).toEqual([OPAQUE]);
  });

  it('an instruction that is known has a receiver, and one with something behind it may have any', () => {
    const withFee = ofToken(numbers(Buffer.of(26, 1), 8n, 6, ...Buffer.alloc(8)));
    const close = ofToken(new Uint8Array([9]));
    expect(of([withFee])).toEqual([{ ...OPAQUE, to: tokens, alsoTo: [receiver] }]);
    expect(of([close])).toEqual([{ ...OPAQUE, to: tokens, alsoTo: [mint] }]);
    const longer = { ...transfer(), data: numbers(Buffer.of(2, 0, 0, 0), 10n, 0) };
    expect(of([longer])).toEqual([{ ...OPAQUE, to: system, alsoTo: [UNKNOWN] }]);
    expect(of([ofToken(numbers(Buffer.of(12), 8n, 6, 0))])).toEqual([{ ...OPAQUE, to: tokens, alsoTo: [UNKNOWN] }]);
  });

  it('an amount of tokens has 64 bits', () => {
    const most = 2n ** 64n - 1n;
    expect(of([ofToken(numbers(Buffer.of(12), most, 6))])[0]!.token).toEqual({ asset: mint, amount: most });
  });

  it('who stands in a lookup table is unknown', () => {
    expect(of([transfer()], true)).toEqual([{ to: UNKNOWN, alsoTo: [system], value: 10n, token: null, call: null }]);
  });
});

describe('on Sui', () => {
  const receiver = `0x${'4'.repeat(64)}`;
  const coin = { objectId: `0x${'3'.repeat(64)}`, version: '7', digest: base58.encode(Buffer.alloc(32, 5)) };
  const of = async (build: (transaction: SuiTransaction) => void) => {
    const transaction = new SuiTransaction();
    transaction.setSender(addressOf('SUI'));
    transaction.setGasPayment([coin]);
    transaction.setGasPrice(1000);
    transaction.setGasBudget(5_000_000);
    build(transaction);
    return effects('SUI', { kind: 'suiTransaction', transaction: Buffer.from(await transaction.build()) });
  };

  it('coins that were split from the gas are known, and go to somebody', async () => {
    const made = await of((one) => {
      const [first, second] = one.splitCoins(one.gas, [one.pure.u64(12), one.pure.u64(30)]);
      one.transferObjects([first, second], one.pure.address(receiver));
    });
    expect(made).toEqual([{ to: receiver, value: 42n, token: null, call: null }]);
  });

  it('everything else that goes to somebody may be worth anything, and a split coin that grew as well', async () => {
    const other = { ...coin, objectId: `0x${'6'.repeat(64)}` };
    const unknown = { to: receiver, value: UNKNOWN, token: null, call: null };
    expect(await of((one) => one.transferObjects([one.gas], one.pure.address(receiver)))).toEqual([unknown]);
    expect(await of((one) => one.transferObjects([one.objectRef(other)], one.pure.address(receiver)))).toEqual([
      unknown,
    ]);
    const ofOther = await of((one) => {
      const [part] = one.splitCoins(one.objectRef(other), [one.pure.u64(1)]);
      one.transferObjects([part], one.pure.address(receiver));
    });
    expect(ofOther).toEqual([unknown]);
    const grown = await of((one) => {
      const [part] = one.splitCoins(one.gas, [one.pure.u64(1)]);
      one.mergeCoins(part, [one.objectRef(other)]);
      one.transferObjects([part], one.pure.address(receiver));
    });
    expect(grown).toEqual([unknown]);
    const joined = await of((one) => {
      const [part] = one.splitCoins(one.gas, [one.pure.u64(1)]);
      one.moveCall({ target: '0xabc::coins::join', arguments: [part, one.objectRef(other)] });
      one.transferObjects([part], one.pure.address(receiver));
    });
    expect(joined[1]).toEqual(unknown);
    const both = await of((one) => {
      const parts = one.splitCoins(one.gas, [one.pure.u64(1), one.pure.u64(1_000)]);
      one.transferObjects([parts], one.pure.address(receiver));
    });
    expect(both).toEqual([unknown]);
  });

  it('amounts and receivers are read only where they have their length', async () => {
    const ofLength = (amount: number, to: number) =>
      of((one) => {
        const [part] = one.splitCoins(one.gas, [one.pure(new Uint8Array(amount))]);
        one.transferObjects([part], one.pure(new Uint8Array(to)));
      });
    expect(await ofLength(8, 32)).toEqual([{ to: `0x${'0'.repeat(64)}`, value: 0n, token: null, call: null }]);
    expect(await ofLength(9, 33)).toEqual([{ to: UNKNOWN, value: UNKNOWN, token: null, call: null }]);
  });

  it('of a package that is published or upgraded nothing is known', async () => {
    const modules = [[...Buffer.of(1)]];
    const upgrade = { modules, dependencies: [], package: '0xabc' };
    const made = await of((one) => {
      one.publish({ modules, dependencies: [] });
      one.upgrade({ ...upgrade, ticket: one.gas });
    });
    expect(made).toEqual([OPAQUE, OPAQUE]);
  });

  it('a call is addressed to its package', async () => {
    const [effect] = await of((one) => one.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [] }));
    expect(effect).toEqual({ ...OPAQUE, to: `0x${'2'.padStart(64, '0')}` });
  });

  /** Commands of three bytes: nothing goes to the coin that pays. */
  const empty = (commands: number) => {
    const own = Buffer.from(addressOf('SUI').slice(2), 'hex');
    const count = Buffer.of((commands & 0x7f) | 0x80, commands >> 7);
    const list = Buffer.concat(Array.from({ length: commands }, () => Buffer.of(1, 0, 0)));
    const gas = Buffer.concat([Buffer.of(0), own, Buffer.alloc(16), Buffer.of(0)]);
    return Buffer.concat([Buffer.of(0, 0, 0), count, list, own, gas]);
  };

  it('has as many commands as the network takes, and none is read of more', () => {
    const made = (commands: number) => effects('SUI', { kind: 'suiTransaction', transaction: empty(commands) });
    expect(made(1024)).toHaveLength(1024);
    for (const commands of [1025, 16_000])
      expect(() => made(commands)).toThrow(unreadable('it has more than 1024 commands'));
  });
});

describe('on Bitcoin', () => {
  initEccLib(secp256k1);
  const own = payments.p2wpkh({ pubkey: secp256k1.pointFromScalar(keyOf('BTC'), true)! });

  it('every output but the change, by the address that its script has', () => {
    const receivers = [
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    ];
    const made = new Psbt().addInput({
      hash: Buffer.alloc(32, 1),
      index: 0,
      witnessUtxo: { script: own.output!, value: 90_000n },
    });
    for (const address of [own.address!, ...receivers]) made.addOutput({ address, value: 1_000n });
    for (const script of [Buffer.of(0x51), Buffer.concat([Buffer.of(0x00, 0x14), Buffer.alloc(19)])])
      made.addOutput({ script, value: 5n });
    expect(effects('BTC', { kind: 'psbt', psbt: made.toBuffer() })).toEqual([
      ...receivers.map((to) => ({ to, value: 1_000n, token: null, call: null })),
      { to: UNKNOWN, value: 5n, token: null, call: null },
      { to: UNKNOWN, value: 5n, token: null, call: null },
    ]);
  });

  it('has at most 1024 outputs', () => {
    const made = (outputs: number) => {
      const psbt = new Psbt().addInput({
        hash: Buffer.alloc(32, 1),
        index: 0,
        witnessUtxo: { script: own.output!, value: 90_000n },
      });
      for (let at = 0; at < outputs; at++) psbt.addOutput({ script: Buffer.of(0x51), value: 5n });
      return effects('BTC', { kind: 'psbt', psbt: psbt.toBuffer() });
    };
    expect(made(1024)).toHaveLength(1024);
    expect(() => made(1025)).toThrow(unreadable('it has more than 1024 outputs'));
  });
});
