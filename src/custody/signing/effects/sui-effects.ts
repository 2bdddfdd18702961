import { readSuiTransaction, type SuiArgument, type SuiCommand, type SuiTransaction } from '../sui-transaction.js';
import { coins, opaqueCall, OPAQUE, UNKNOWN, type Effect, type RequestOf, type Unknown } from './effect.js';

const U64_BYTES = 8;
const ADDRESS_BYTES = 32;
/** The framework package, which defines coins and transfers. */
const FRAMEWORK = `0x${'2'.padStart(64, '0')}`;
/** The only function of it that is parsed: an object and its recipient. */
const PUBLIC_TRANSFER = 'transfer::public_transfer';
/** Common framework functions whose results go only to later commands. */
const GIVES_NOBODY = [
  ...['clock::timestamp_ms', 'coin::value', 'coin::zero', 'coin::split', 'coin::take', 'coin::destroy_zero'],
  ...['coin::into_balance', 'coin::from_balance', 'balance::value', 'balance::zero', 'balance::split', 'balance::join'],
  ...['balance::withdraw_all', 'balance::destroy_zero'],
];

/** Calls, and the recipients of objects; splitting and merging one's own coins has no effect. */
export function suiTransactionEffects({ transaction }: RequestOf<'suiTransaction'>): Effect[] {
  const parsed = readSuiTransaction(Buffer.from(transaction));
  const areCoinsAsSplit = parsed.commands.every(({ kind }) => kind === 'SplitCoins' || kind === 'TransferObjects');
  return parsed.commands.flatMap((command) => effectsOf(command, { ...parsed, areCoinsAsSplit }));
}

interface Read extends SuiTransaction {
  /** No command could add to a coin after it was split. */
  readonly areCoinsAsSplit: boolean;
}

function effectsOf(command: SuiCommand, transaction: Read): Effect[] {
  switch (command.kind) {
    case 'MoveCall':
      return [callEffect(command, transaction)];
    case 'TransferObjects': {
      const amounts = command.objects.map((object) => amountOf(object, transaction));
      const value = amounts.reduce<bigint | Unknown>(
        (sum, amount) => (sum === UNKNOWN || amount === UNKNOWN ? UNKNOWN : sum + amount),
        0n,
      );
      return [coins(addressOf(command.recipient, transaction), value)];
    }
    case 'Publish':
    case 'Upgrade':
      return [OPAQUE];
    case 'SplitCoins':
    case 'MergeCoins':
    case 'MakeMoveVec':
      return [];
  }
}

/** Other packages may also give what they receive to anyone; only their authors know. */
function callEffect(command: Extract<SuiCommand, { kind: 'MoveCall' }>, transaction: Read): Effect {
  const called = `${command.module}::${command.function}`;
  if (command.package !== FRAMEWORK || GIVES_NOBODY.includes(called)) return opaqueCall(command.package);
  const [, recipient] = command.arguments;
  const isRead = called === PUBLIC_TRANSFER && recipient !== undefined;
  return opaqueCall(FRAMEWORK, [isRead ? addressOf(recipient, transaction) : UNKNOWN]);
}

/**
 * Known for an amount split from the gas coin by a number in the bytes, if no command could add to it; any other object
 * may be worth anything.
 */
function amountOf(object: SuiArgument, { inputs, commands, areCoinsAsSplit }: Read): bigint | Unknown {
  if (!areCoinsAsSplit) return UNKNOWN;
  if (object.kind === 'GasCoin' || object.kind === 'Input') return UNKNOWN;
  const split = commands[object.at];
  if (split?.kind !== 'SplitCoins' || split.coin.kind !== 'GasCoin') return UNKNOWN;
  if (object.kind === 'Result' && split.amounts.length !== 1) return UNKNOWN;
  const amount = split.amounts[object.kind === 'NestedResult' ? object.nested : 0];
  const pure = amount?.kind === 'Input' ? inputs[amount.at] : null;
  return pure?.length === U64_BYTES ? pure.readBigUInt64LE() : UNKNOWN;
}

function addressOf(recipient: SuiArgument, { inputs }: SuiTransaction): string | Unknown {
  const pure = recipient.kind === 'Input' ? inputs[recipient.at] : null;
  return pure?.length === ADDRESS_BYTES ? `0x${pure.toString('hex')}` : UNKNOWN;
}
