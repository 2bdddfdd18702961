import { parseSolanaTransaction, type SolanaInstruction } from '../solana-transaction.js';
import { coins, opaqueCall, UNKNOWN, type Effect, type RequestOf, type Unknown } from './effect.js';

const SYSTEM = '11111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const TOKEN_PROGRAMS = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'];

/** Number of `Transfer` in the system program, and its length: the number, then lamports. */
const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_BYTES = 12;
/** Number of `TransferChecked` in the token programs, and its length: the number, an amount, the decimals. */
const TRANSFER_CHECKED = 12;
const TRANSFER_CHECKED_BYTES = 10;

/** Accounts behind a lookup table are not in the bytes. */
type Keys = (at: number | undefined) => string | Unknown;

/** Each instruction by itself; those that only say what the transaction may cost have no effect. */
export function solanaTransactionEffects({ transaction }: RequestOf<'solanaTransaction'>): Effect[] {
  const { keys, instructions } = parseSolanaTransaction(Buffer.from(transaction));
  const keyAt: Keys = (at) => (at === undefined ? UNKNOWN : (keys[at] ?? UNKNOWN));
  return instructions.flatMap((instruction) => effectsOf(instruction, keyAt));
}

function effectsOf({ programAt, accountsAt, data }: SolanaInstruction, keyAt: Keys): Effect[] {
  const program = keyAt(programAt);
  if (program === COMPUTE_BUDGET) return [];
  if (program === SYSTEM && data.length === SYSTEM_TRANSFER_BYTES && data.readUInt32LE() === SYSTEM_TRANSFER) {
    return [coins(keyAt(accountsAt[1]), data.readBigUInt64LE(4))];
  }
  if (program !== UNKNOWN && TOKEN_PROGRAMS.includes(program)) return [tokenEffect(program, accountsAt, data, keyAt)];
  return [opaqueCall(program)];
}

/** Only a transfer that names its mint says what it moves. */
function tokenEffect(program: string, accountsAt: readonly number[], data: Buffer, keyAt: Keys): Effect {
  const asset = keyAt(accountsAt[1]);
  if (data.length !== TRANSFER_CHECKED_BYTES || data[0] !== TRANSFER_CHECKED || asset === UNKNOWN) {
    return opaqueCall(program);
  }
  return { to: keyAt(accountsAt[2]), value: 0n, token: { asset, amount: data.readBigUInt64LE(1) }, call: null };
}
