import type { SolanaInstruction, SolanaTransaction } from '../solana/solana-transaction.js';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** SetComputeUnitPrice: the instruction number, then micro-lamports per unit as a little-endian u64. */
const SET_PRICE = 3;

const priceData = (microLamports: bigint): Uint8Array => {
  const data = Buffer.alloc(9);
  data[0] = SET_PRICE;
  data.writeBigUInt64LE(microLamports, 1);
  return Uint8Array.from(data);
};

/** Whether the transaction sets its own priority fee. */
export const hasPriorityFee = ({ accounts, instructions }: SolanaTransaction): boolean =>
  instructions.some(({ programIndex, data }) => accounts[programIndex] === COMPUTE_BUDGET && data[0] === SET_PRICE);

export const isSigned = ({ signatures }: SolanaTransaction): boolean =>
  signatures.some((signature) => signature.some((byte) => byte !== 0));

/**
 * Appends one instruction: programs that refer to instructions by index, and nonce instructions, which must come first,
 * stay where they were.
 */
export function withPriorityFee(transaction: SolanaTransaction, microLamports: bigint): SolanaTransaction {
  const { accounts, readonlyUnsigned } = transaction;
  const known = accounts.indexOf(COMPUTE_BUDGET);
  const data = priceData(microLamports);
  if (known >= 0) return withInstruction(transaction, { programIndex: known, accounts: [], data });
  // The transaction's last accounts are read-only; those from lookup tables follow and move by one.
  const programIndex = accounts.length;
  const moved = transaction.instructions.map((instruction) => ({
    ...instruction,
    accounts: instruction.accounts.map((place) => (place >= programIndex ? place + 1 : place)),
  }));
  const grown = {
    accounts: [...accounts, COMPUTE_BUDGET],
    readonlyUnsigned: readonlyUnsigned + 1,
    instructions: moved,
  };
  return withInstruction({ ...transaction, ...grown }, { programIndex, accounts: [], data });
}

const withInstruction = (transaction: SolanaTransaction, instruction: SolanaInstruction): SolanaTransaction => ({
  ...transaction,
  instructions: [...transaction.instructions, instruction],
});

/** The 75th percentile of recent blocks that wrote to the same accounts; null if it is 0 or there are none. */
export function usualFee(fees: readonly bigint[]): bigint | null {
  const sorted = [...fees].sort((a, b) => (a < b ? -1 : 1));
  const fee = sorted[Math.floor((sorted.length - 1) * 0.75)];
  return fee !== undefined && fee > 0n ? fee : null;
}
