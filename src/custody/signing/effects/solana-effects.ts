import { parseSolanaTransaction, type SolanaInstruction } from '../solana-transaction.js';
import { coins, opaqueCall, UNKNOWN, type Effect, type RequestOf, type Unknown } from './effect.js';

const SYSTEM = '11111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const TOKEN_PROGRAMS = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'];

/** Number of `Transfer` in the system program, and its length: the number, then lamports. */
const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_BYTES = 12;
/** Number of `TransferChecked` in the token programs, and its length: number, amount, decimals. */
const TRANSFER_CHECKED = 12;
const TRANSFER_CHECKED_BYTES = 10;

/** An instruction recognised by its first bytes and its length. */
interface Known {
  readonly begins: readonly number[];
  readonly bytes: number;
  /** Index of the account that receives something; null if none does. */
  readonly receiverAt: number | null;
}

/** Besides transfers. The programs ignore trailing bytes, so an instruction that has any is not recognised. */
const SYSTEM_INSTRUCTIONS: readonly Known[] = [
  { begins: [0, 0, 0, 0], bytes: 52, receiverAt: 1 }, // CreateAccount
  { begins: [4, 0, 0, 0], bytes: 4, receiverAt: null }, // AdvanceNonceAccount
];
const TOKEN_INSTRUCTIONS: readonly Known[] = [
  { begins: [3], bytes: 9, receiverAt: 1 }, // Transfer
  { begins: [5], bytes: 1, receiverAt: null }, // Revoke
  { begins: [9], bytes: 1, receiverAt: 1 }, // CloseAccount
  { begins: [17], bytes: 1, receiverAt: null }, // SyncNative
  { begins: [26, 1], bytes: 19, receiverAt: 2 }, // TransferCheckedWithFee
];

/** Accounts from a lookup table are not in the bytes. */
type Keys = (at: number | undefined) => string | Unknown;

/** Each instruction by itself; compute budget instructions have no effect. */
export function solanaTransactionEffects({ transaction }: RequestOf<'solanaTransaction'>): Effect[] {
  const { keys, instructions } = parseSolanaTransaction(Buffer.from(transaction));
  const keyAt: Keys = (at) => (at === undefined ? UNKNOWN : (keys[at] ?? UNKNOWN));
  return instructions.flatMap((instruction) => effectsOf(instruction, keyAt));
}

function effectsOf({ programAt, accountsAt, data }: SolanaInstruction, keyAt: Keys): Effect[] {
  const program = keyAt(programAt);
  if (program === COMPUTE_BUDGET) return [];
  if (program === SYSTEM) return [systemEffect(accountsAt, data, keyAt)];
  if (program !== UNKNOWN && TOKEN_PROGRAMS.includes(program)) return [tokenEffect(program, accountsAt, data, keyAt)];
  return [opaqueCall(program)];
}

function systemEffect(accountsAt: readonly number[], data: Buffer, keyAt: Keys): Effect {
  if (data.length === SYSTEM_TRANSFER_BYTES && data.readUInt32LE() === SYSTEM_TRANSFER) {
    return { ...coins(keyAt(accountsAt[1]), data.readBigUInt64LE(4)), alsoTo: [SYSTEM] };
  }
  return opaqueCall(SYSTEM, receivers(SYSTEM_INSTRUCTIONS, accountsAt, data, keyAt));
}

/** Only a transfer that names its mint shows what it moves. */
function tokenEffect(program: string, accountsAt: readonly number[], data: Buffer, keyAt: Keys): Effect {
  if (data.length !== TRANSFER_CHECKED_BYTES || data[0] !== TRANSFER_CHECKED) {
    return opaqueCall(program, receivers(TOKEN_INSTRUCTIONS, accountsAt, data, keyAt));
  }
  const asset = keyAt(accountsAt[1]);
  const to = keyAt(accountsAt[2]);
  if (asset === UNKNOWN) return opaqueCall(program, [to]);
  const token = { asset, amount: data.readBigUInt64LE(1) };
  return { to, alsoTo: [program], value: 0n, token, call: null };
}

/** Who receives something by an instruction of such a program: unknown if it is not recognised. */
function receivers(
  known: readonly Known[],
  accountsAt: readonly number[],
  data: Buffer,
  keyAt: Keys,
): readonly (string | Unknown)[] {
  const found = known.find(
    ({ begins, bytes }) => data.length === bytes && begins.every((byte, at) => data[at] === byte),
  );
  if (!found) return [UNKNOWN];
  return found.receiverAt === null ? [] : [keyAt(accountsAt[found.receiverAt])];
}
