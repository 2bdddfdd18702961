import { parseBoc } from '../../ton/boc.js';
import { parseWalletBody, type TonTransfer } from '../../ton/wallet-body.js';
import { coins, opaqueCall, UNKNOWN, type Effect, type RequestOf } from './effect.js';

/** Each message by itself. A message to a contract may do anything there, including moving tokens. */
export function tonTransactionEffects({ transaction }: RequestOf<'tonTransaction'>): Effect[] {
  return parseWalletBody(parseBoc(Buffer.from(transaction))).transfers.map(effectOf);
}

function effectOf({ to, value, isPlain }: TonTransfer): Effect {
  if (to === null || !isPlain) return opaqueCall(to ?? UNKNOWN);
  return coins(to, value ?? UNKNOWN);
}
