import { unsignableRequest } from '../../custody.errors.js';
import { UnreadableRequest } from '../byte-reader.js';
import { readSignable } from '../read-signable.js';
import type { Signable, SigningAccount } from '../signable.js';
import type { SigningRequest } from '../signing-request.js';
import { psbtEffects } from './bitcoin-effects.js';
import { OPAQUE, type Effect } from './effect.js';
import { evmTransactionEffects, typedDataEffects } from './evm-effects.js';
import { solanaTransactionEffects } from './solana-effects.js';
import { suiTransactionEffects } from './sui-effects.js';
import { tonTransactionEffects } from './ton-effects.js';

/** @throws ApiError unsignable_request */
export function readable(account: SigningAccount, request: SigningRequest): Signable {
  try {
    return readSignable(account, request);
  } catch (error) {
    if (error instanceof UnreadableRequest) throw unsignableRequest({ payload: { reason: error.message } });
    throw error;
  }
}

/** What a readable request agrees to: at least one effect, so that a check of every effect is never vacuous. */
export function effectsOf(account: SigningAccount, request: SigningRequest): readonly Effect[] {
  const effects = read(account, request);
  return effects.length > 0 ? effects : [OPAQUE];
}

function read(account: SigningAccount, request: SigningRequest): Effect[] {
  switch (request.kind) {
    case 'message':
    case 'tonData':
      return [OPAQUE];
    case 'evmTransaction':
      return evmTransactionEffects(request);
    case 'typedData':
      return typedDataEffects(request);
    case 'solanaTransaction':
      return solanaTransactionEffects(request);
    case 'suiTransaction':
      return suiTransactionEffects(request);
    case 'tonTransaction':
      return tonTransactionEffects(request);
    case 'psbt':
      return psbtEffects(account, request);
  }
}
