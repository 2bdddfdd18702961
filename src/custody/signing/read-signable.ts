import type { SigningChain } from '../embedded-chain.js';
import { bitcoinMessage } from './bitcoin-message.js';
import { bitcoinPsbt } from './bitcoin-psbt.js';
import { UnreadableRequest } from './byte-reader.js';
import { evmMessage, evmTransaction, evmTypedData } from './evm-signing.js';
import type { SigningKind, SigningRequest } from './signing-request.js';
import type { Signable, SigningAccount } from './signable.js';
import { isTaproot } from './bitcoin-script.js';
import { solanaMessage, solanaTransaction } from './solana-signing.js';
import { suiMessage, suiTransaction } from './sui-signing.js';
import { taprootMessage, taprootPsbt } from './taproot-signing.js';
import { tonData, tonTransaction } from './ton-signing.js';

type Readers = {
  readonly [K in SigningKind]?: (account: SigningAccount, request: Extract<SigningRequest, { kind: K }>) => Signable;
};

/** The request kinds of each chain: bytes of one kind never pass for another. */
const READERS: Record<SigningChain, Readers> = {
  EVM: { message: evmMessage, evmTransaction, typedData: evmTypedData },
  SOL: { message: solanaMessage, solanaTransaction },
  SUI: { message: suiMessage, suiTransaction },
  BTC: { message: bitcoinMessage, psbt: bitcoinPsbt },
  TON: { tonTransaction, tonData },
};

/** The request kinds of Taproot addresses. */
const TAPROOT_READERS: Readers = { message: taprootMessage, psbt: taprootPsbt };

/** Whether wallets on a chain sign requests of this kind. */
export const isSignedOn = (chain: SigningChain, kind: SigningKind): boolean => READERS[chain][kind] !== undefined;

/**
 * Parses what is to be signed from its own bytes.
 *
 * @throws UnreadableRequest if it is not of its declared kind, or not for this account to sign
 */
export function readSignable(account: SigningAccount, request: SigningRequest): Signable {
  const { chain, address } = account;
  const readers = chain === 'BTC' && isTaproot(address) ? TAPROOT_READERS : READERS[chain];
  const read = readers[request.kind] as ((account: SigningAccount, request: SigningRequest) => Signable) | undefined;
  if (!read) throw new UnreadableRequest(`a wallet on ${chain} signs no ${request.kind}`);
  return read(account, request);
}
