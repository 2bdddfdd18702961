import { decodeFunctionResult, encodeFunctionData, isHex, multicall3Abi, size, type Address, type Hex } from 'viem';
import type { EvmRead } from './chain-reader.js';
import { CallRevertedError, ChainUnreadableError } from './chain-unreadable.error.js';
import type { RpcReply } from './json-rpc.js';

/** Multicall3 has this address on nearly every EVM network; its deployment was signed by a key that nobody has. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** Networks that derive addresses differently (ZKsync). */
const ELSEWHERE: Readonly<Record<number, Address>> = {
  300: '0xF9cda624FBC7e059355ce98a31693d299FaCd963',
  324: '0xF9cda624FBC7e059355ce98a31693d299FaCd963',
};

export const multicallAddress = (networkId: number): Address => ELSEWHERE[networkId] ?? MULTICALL3;

/** `tryBlockAndAggregate` is missing from viem's ABI, which needs no block number. */
const BLOCK_AND_AGGREGATE = [
  {
    type: 'function',
    name: 'tryBlockAndAggregate',
    stateMutability: 'view',
    inputs: [
      { name: 'requireSuccess', type: 'bool' },
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    outputs: [
      { name: 'blockNumber', type: 'uint256' },
      { name: 'blockHash', type: 'bytes32' },
      {
        name: 'returnData',
        type: 'tuple[]',
        components: [
          { name: 'success', type: 'bool' },
          { name: 'returnData', type: 'bytes' },
        ],
      },
    ],
  },
] as const;

export function encodeAggregate(multicall: Address, reads: readonly EvmRead[]): Hex {
  const calls = reads.map((read) =>
    'to' in read
      ? { target: read.to, callData: read.data }
      : {
          target: multicall,
          callData: encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [read.balanceOf] }),
        },
  );
  return encodeFunctionData({ abi: BLOCK_AND_AGGREGATE, functionName: 'tryBlockAndAggregate', args: [false, calls] });
}

export interface BlockAnswer {
  value: Hex | null;
  blockNumber: bigint;
}

/** A word, as every balance of Multicall3 is. */
const WORD_BYTES = 32;

/**
 * Failed calls are reported one by one, so a failure of the whole says nothing about any of them: one may have used up
 * the gas of the others. A native balance never fails: the contract that does not answer it is another one.
 *
 * @throws CallRevertedError, ChainUnreadableError
 */
export function decodeAggregate(reply: RpcReply | undefined, reads: readonly EvmRead[]): BlockAnswer[] {
  const data = bytesOf(reply);
  const decoded = attempt(() =>
    decodeFunctionResult({ abi: BLOCK_AND_AGGREGATE, functionName: 'tryBlockAndAggregate', data }),
  );
  const [blockNumber, , results] = decoded;
  if (results.length !== reads.length) throw garbage('the node answered another number of calls');
  return reads.map((read, at) => {
    const { success, returnData } = results[at]!;
    const isBalance = success && size(returnData) === WORD_BYTES;
    if ('balanceOf' in read && !isBalance) throw garbage('the node answered no balance');
    return { value: success ? returnData : null, blockNumber };
  });
}

function attempt<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw garbage('the answer of the node cannot be decoded');
  }
}

/** Whole bytes in hex, as `eth_call` and `eth_getCode` return. @throws CallRevertedError, ChainUnreadableError */
export function bytesOf(reply: RpcReply | undefined): Hex {
  const { error, result } = reply ?? {};
  if (error) {
    if (isRevert(error)) throw new CallRevertedError('execution reverted', revertDataOf(error.data));
    throw garbage(`the node could not execute the call (${error.code})`);
  }
  if (!isHex(result, { strict: true }) || result.length % 2 !== 0) throw garbage('the answer of the node is not hex');
  return result;
}

/** A quantity, as `eth_getBalance` and `eth_blockNumber` return. @throws ChainUnreadableError */
export function quantityOf(reply: RpcReply | undefined): bigint {
  const { result } = reply ?? {};
  if (!isHex(result, { strict: true }) || result === '0x' || size(result) > 32) {
    throw garbage('the answer of the node is not a quantity');
  }
  return BigInt(result);
}

/** Errors a contract can cause, not the node's fault: a stranger who chooses the contract must not block it. */
const FAULTS_OF_CONTRACTS = /revert|out ?of ?gas|invalid ?(?:opcode|jump)|stack ?(?:under|over|limit)/i;

/** Geth and its derivatives use 3 (EIP-1474 has no code for it); others -32000 or -32015 with these words. */
const isRevert = ({ code, message, data }: NonNullable<RpcReply['error']>): boolean =>
  code === 3 || isHex(data) || FAULTS_OF_CONTRACTS.test(message);

function revertDataOf(data: unknown): Hex {
  if (isHex(data)) return data;
  const inner = (data as { data?: unknown } | null | undefined)?.data;
  return isHex(inner) ? inner : '0x';
}

const garbage = (message: string): ChainUnreadableError => new ChainUnreadableError('garbage', message);
