import type { EmbeddedChain } from '../embedded-chain.js';
import { bitcoinMessage } from './bitcoin-message.js';
import { bitcoinPsbt } from './bitcoin-psbt.js';
import { UnreadableRequest } from './byte-reader.js';
import { evmMessage, evmTransaction, evmTypedData } from './evm-signing.js';
import type { SigningKind, SigningRequest } from './signing-request.js';
import type { Signable, SigningAccount } from './signable.js';
import { solanaMessage, solanaTransaction } from './solana-signing.js';
import { suiMessage, suiTransaction } from './sui-signing.js';

type Readers = {
  readonly [K in SigningKind]?: (account: SigningAccount, request: Extract<SigningRequest, { kind: K }>) => Signable;
};

/** What each chain has, and nothing else: bytes of one kind never pass for another. */
const READERS: Record<EmbeddedChain, Readers> = {
  EVM: { message: evmMessage, evmTransaction, typedData: evmTypedData },
  SOL: { message: solanaMessage, solanaTransaction },
  SUI: { message: suiMessage, suiTransaction },
  BTC: { message: bitcoinMessage, psbt: bitcoinPsbt },
};

/**
 * Reads what is to be signed from its own bytes.
 *
 * @throws UnreadableRequest when it is not what its kind says, or not for this account to sign
 */
export function readSignable(account: SigningAccount, request: SigningRequest): Signable {
  const read = READERS[account.chain][request.kind] as
    ((account: SigningAccount, request: SigningRequest) => Signable) | undefined;
  if (!read) throw new UnreadableRequest(`a wallet on ${account.chain} signs no ${request.kind}`);
  return read(account, request);
}
