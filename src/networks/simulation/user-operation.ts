import { encodeFunctionData, isAddress, isHex, getAddress, type Address, type Hex } from 'viem';
import {
  entryPoint06Abi,
  entryPoint06Address,
  entryPoint07Abi,
  toPackedUserOperation,
  type UserOperation,
} from 'viem/account-abstraction';
import type { EvmCall } from './evm-simulator.js';
import { invalidTransaction } from './simulation.errors.js';

type Field = 'address' | 'hex' | 'number' | 'gas';
const FIELDS: Readonly<Record<string, Field>> = {
  sender: 'address',
  nonce: 'number',
  initCode: 'hex',
  factory: 'address',
  factoryData: 'hex',
  callData: 'hex',
  callGasLimit: 'gas',
  verificationGasLimit: 'gas',
  preVerificationGas: 'number',
  maxFeePerGas: 'gas',
  maxPriorityFeePerGas: 'gas',
  paymaster: 'address',
  paymasterVerificationGasLimit: 'gas',
  paymasterPostOpGasLimit: 'gas',
  paymasterData: 'hex',
  paymasterAndData: 'hex',
  signature: 'hex',
};
const NUMBERS = [
  'nonce',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
];
/** The bundler; it needs no code or funds, since gas is free in a simulation. */
const BUNDLER: Address = '0x000000000000000000000000000000000000b00b';

type Parsed = Record<string, Address | bigint | undefined>;

/** @throws invalidTransaction */
function parse(operation: Record<string, unknown>): Parsed {
  const parsed: Parsed = {};
  for (const [name, kind] of Object.entries(FIELDS)) {
    const value = operation[name];
    if (value === undefined || value === null || (kind === 'address' && value === '0x')) continue;
    const read = READERS[kind](value);
    if (read === null) throw invalidTransaction({ payload: { field: `operation.${name}` } });
    parsed[name] = read;
  }
  for (const name of ['sender', 'callData']) {
    if (parsed[name] === undefined) throw invalidTransaction({ payload: { field: `operation.${name}` } });
  }
  return parsed;
}

const READERS: Record<Field, (value: unknown) => Address | bigint | null> = {
  address: (value) => (typeof value === 'string' && isAddress(value, { strict: false }) ? getAddress(value) : null),
  hex: (value) => (isHex(value, { strict: true }) && value.length % 2 === 0 ? value : null),
  number: (value) => numberBelow(2n ** 256n, value),
  // Entry points pack these into 16 bytes each (ERC-4337, PackedUserOperation).
  gas: (value) => numberBelow(2n ** 128n, value),
};

function numberBelow(bound: bigint, value: unknown): bigint | null {
  const isNumber =
    (typeof value === 'string' && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value)) ||
    (Number.isSafeInteger(value) && Number(value) >= 0);
  const number = isNumber ? BigInt(value as string | number) : bound;
  return number < bound ? number : null;
}

/** The calls that represent an operation on the chain, and the account whose changes are shown. */
export interface OperationCalls {
  sender: Address;
  entryPoint: Address;
  calls: EvmCall[];
  /** What must have code: a call to any other address succeeds without doing anything. */
  contracts: Address[];
}

/**
 * With a signature: `handleOps` of the entry point, so that account and paymaster validate as in production. Without
 * one they would refuse: then the account is deployed if necessary, and called by the entry point, as after validation.
 *
 * @throws invalidTransaction
 */
export function callsOf(operation: Record<string, unknown>, entryPointText: string): OperationCalls {
  if (!isAddress(entryPointText, { strict: false })) throw invalidTransaction({ payload: { field: 'entryPoint' } });
  const entryPoint = getAddress(entryPointText);
  const parsed = parse(operation);
  const sender = parsed['sender'] as Address;
  const isSigned = typeof parsed['signature'] === 'string' && parsed['signature'] !== '0x';
  if (isSigned) {
    const calls = [{ from: BUNDLER, to: entryPoint, value: 0n, data: handleOps(parsed, entryPoint) }];
    return { sender, entryPoint, calls, contracts: [entryPoint] };
  }
  const call = { from: entryPoint, to: sender, value: 0n, data: parsed['callData'] as Hex };
  const making = makingCalls(parsed, entryPoint);
  const contracts = [entryPoint, ...(making.length > 0 ? making.map(({ to }) => to) : [sender])];
  return { sender, entryPoint, calls: [...making, call], contracts };
}

function makingCalls(parsed: Parsed, entryPoint: Address): EvmCall[] {
  const initCode = parsed['initCode'] as Hex | undefined;
  const factory =
    (parsed['factory'] as Address | undefined) ??
    (initCode && initCode.length >= 42 ? getAddress(initCode.slice(0, 42)) : undefined);
  if (!factory) return [];
  const data = (parsed['factoryData'] as Hex | undefined) ?? `0x${initCode?.slice(42) ?? ''}`;
  return [{ from: entryPoint, to: factory, value: 0n, data }];
}

function handleOps(parsed: Parsed, entryPoint: Address): Hex {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, parsed[name] ?? 0n]));
  const whole = { ...parsed, ...numbers };
  if (entryPoint === entryPoint06Address) {
    const operation = { initCode: '0x', paymasterAndData: '0x', ...whole } as never;
    return encodeFunctionData({ abi: entryPoint06Abi, functionName: 'handleOps', args: [[operation], BUNDLER] });
  }
  // Since version 0.7 the paymaster's gas limits are separate fields, and a run without them would show nothing.
  const isJoined = (parsed['paymasterAndData'] ?? '0x') !== '0x' && !parsed['paymaster'];
  if (isJoined) throw invalidTransaction({ payload: { field: 'operation.paymasterAndData' } });
  const packed = toPackedUserOperation(unpacked(whole) as unknown as UserOperation<'0.7'>);
  return encodeFunctionData({ abi: entryPoint07Abi, functionName: 'handleOps', args: [[packed], BUNDLER] });
}

/** Later entry points also accept the version 0.6 form. */
function unpacked(parsed: Parsed): Parsed {
  const initCode = parsed['initCode'] as Hex | undefined;
  if (parsed['factory'] || !initCode || initCode.length < 42) return parsed;
  return { ...parsed, factory: getAddress(initCode.slice(0, 42)), factoryData: `0x${initCode.slice(42)}` };
}
