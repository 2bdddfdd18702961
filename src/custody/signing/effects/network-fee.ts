import { parseTransaction } from 'viem';
import { fullySpent } from '../bitcoin-psbt.js';
import { parsePsbt } from '../psbt.js';
import type { SigningAccount } from '../signable.js';
import type { SigningRequest } from '../signing-request.js';
import { parseSolanaTransaction, type SolanaInstruction } from '../solana-transaction.js';
import { readSuiTransaction } from '../sui-transaction.js';
import { UNKNOWN, type RequestOf, type Unknown } from './effect.js';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Programs that verify further signatures, each of which costs as much as one of the transaction's own. */
const SIGNATURE_CHECKS = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
];
const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICROLAMPORTS = 1_000_000n;
/** Upper bound for a transaction that sets no limit. */
const MOST_COMPUTE_UNITS = 1_400_000n;
/** Compute budget instructions: number, and length including the number. */
const HEAP_FRAME = [1, 5] as const;
const UNIT_LIMIT = [2, 5] as const;
const UNIT_PRICE = [3, 9] as const;
const DATA_SIZE_LIMIT = [4, 5] as const;

/**
 * The most that the network may charge the account for a request that was parsed before, in the smallest unit of the
 * chain's coin; unknown if the bytes do not determine it.
 */
export function networkFeeOf(account: SigningAccount, request: SigningRequest): bigint | Unknown {
  switch (request.kind) {
    case 'message':
    case 'typedData':
    case 'tonData':
      return 0n;
    case 'evmTransaction':
      return evmFee(request);
    case 'solanaTransaction':
      return solanaFee(account, request);
    case 'suiTransaction':
      return suiFee(account, request);
    case 'tonTransaction':
      // Known only once it runs.
      return UNKNOWN;
    case 'psbt':
      return psbtFee(account, request);
  }
}

/** Blob transactions, which cost more than gas, are never signed. */
function evmFee({ transaction }: RequestOf<'evmTransaction'>): bigint | Unknown {
  const { type, gas = 0n, maxFeePerGas, gasPrice } = parseTransaction(transaction);
  if (type !== 'legacy' && type !== 'eip2930' && type !== 'eip1559') return UNKNOWN;
  return gas * (maxFeePerGas ?? gasPrice ?? 0n);
}

/** Inputs minus outputs. */
function psbtFee({ address }: SigningAccount, { psbt }: RequestOf<'psbt'>): bigint | Unknown {
  const parsed = parsePsbt(Buffer.from(psbt));
  const spent = fullySpent(parsed, address);
  if (!spent) return UNKNOWN;
  const total = (outputs: readonly { value: Buffer }[]): bigint =>
    outputs.reduce((sum, { value }) => sum + value.readBigUInt64LE(), 0n);
  const fee = total(spent) - total(parsed.transaction.outputs);
  return fee < 0n ? UNKNOWN : fee;
}

/** The first signer pays. */
function solanaFee({ address }: SigningAccount, { transaction }: RequestOf<'solanaTransaction'>): bigint | Unknown {
  const { keys, signers, instructions } = parseSolanaTransaction(Buffer.from(transaction));
  if (signers[0] !== address) return 0n;
  const programs = instructions.map(({ programAt }) => keys[programAt]);
  if (programs.some((program) => program === undefined || SIGNATURE_CHECKS.includes(program))) return UNKNOWN;
  const priority = priorityFee(instructions.filter((_, at) => programs[at] === COMPUTE_BUDGET));
  return priority === UNKNOWN ? UNKNOWN : priority + BigInt(signers.length) * LAMPORTS_PER_SIGNATURE;
}

/** Compute unit price times limit. Any unrecognised form makes it unknown. */
function priorityFee(budget: readonly SolanaInstruction[]): bigint | Unknown {
  const isA = ({ data }: SolanaInstruction, [number, length]: readonly [number, number]): boolean =>
    data[0] === number && data.length === length;
  const known = [HEAP_FRAME, UNIT_LIMIT, UNIT_PRICE, DATA_SIZE_LIMIT];
  if (!budget.every((one) => known.some((form) => isA(one, form)))) return UNKNOWN;
  const prices = budget.filter((one) => isA(one, UNIT_PRICE)).map(({ data }) => data.readBigUInt64LE(1));
  const limits = budget.filter((one) => isA(one, UNIT_LIMIT)).map(({ data }) => BigInt(data.readUInt32LE(1)));
  if (prices.length > 1 || limits.length > 1) return UNKNOWN;
  const product = (prices[0] ?? 0n) * (limits[0] ?? MOST_COMPUTE_UNITS);
  return (product + MICROLAMPORTS - 1n) / MICROLAMPORTS;
}

/** The gas budget, charged to the gas owner. */
function suiFee({ address }: SigningAccount, { transaction }: RequestOf<'suiTransaction'>): bigint {
  const { gasOwner, gasBudget } = readSuiTransaction(Buffer.from(transaction));
  return gasOwner === address ? gasBudget : 0n;
}
