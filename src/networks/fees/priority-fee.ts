import type { SolanaInstruction, SolanaTransaction } from '../solana/solana-transaction.js';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** SetComputeUnitPrice: the number of the instruction, then micro-lamports for a unit as a little-endian u64. */
const SET_PRICE = 3;

const priceData = (microLamports: bigint): Uint8Array => {
  const data = Buffer.alloc(9);
  data[0] = SET_PRICE;
  data.writeBigUInt64LE(microLamports, 1);
  return Uint8Array.from(data);
};

/** Whether the transaction says itself what it pays for priority. */
export const hasPriorityFee = ({ accounts, instructions }: SolanaTransaction): boolean =>
  instructions.some(({ programIndex, data }) => accounts[programIndex] === COMPUTE_BUDGET && data[0] === SET_PRICE);

export const isSigned = ({ signatures }: SolanaTransaction): boolean =>
  signatures.some((signature) => signature.some((byte) => byte !== 0));

/**
 * The transaction with one instruction more, at its end: programs that look at the places of others, and nonces that
 * must come first, find everything where it was.
 */
export function withPriorityFee(transaction: SolanaTransaction, microLamports: bigint): SolanaTransaction {
  const { accounts, readonlyUnsigned } = transaction;
  const known = accounts.indexOf(COMPUTE_BUDGET);
  const data = priceData(microLamports);
  if (known >= 0) return withInstruction(transaction, { programIndex: known, accounts: [], data });
  // The last of the accounts in the transaction are read-only; those from tables come after and move by one.
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

/** Enough for three of four recent blocks that wrote to the same accounts; null when none asked for anything. */
export function usualFee(fees: readonly bigint[]): bigint | null {
  const sorted = [...fees].sort((a, b) => (a < b ? -1 : 1));
  const fee = sorted[Math.floor((sorted.length - 1) * 0.75)];
  return fee !== undefined && fee > 0n ? fee : null;
}
