import { readSuiTransaction, type SuiArgument, type SuiCommand, type SuiTransaction } from '../sui-transaction.js';
import { coins, opaqueCall, OPAQUE, UNKNOWN, type Effect, type RequestOf, type Unknown } from './effect.js';

const U64_BYTES = 8;
const ADDRESS_BYTES = 32;

/** What is called, and to whom objects go; splitting and joining one's own coins has no effect. */
export function suiTransactionEffects({ transaction }: RequestOf<'suiTransaction'>): Effect[] {
  const parsed = readSuiTransaction(Buffer.from(transaction));
  return parsed.commands.flatMap((command) => effectsOf(command, parsed));
}

function effectsOf(command: SuiCommand, transaction: SuiTransaction): Effect[] {
  switch (command.kind) {
    case 'MoveCall':
      return [opaqueCall(command.package)];
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

/**
 * Known for what was split from the gas coin by a number in the bytes, where nothing else is done that could add to it;
 * other objects may be worth anything.
 */
function amountOf(object: SuiArgument, { inputs, commands }: SuiTransaction): bigint | Unknown {
  if (!commands.every(({ kind }) => kind === 'SplitCoins' || kind === 'TransferObjects')) return UNKNOWN;
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
