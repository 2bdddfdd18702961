import { KeyVaultUnavailableError, SealedBlobError, type SealedBlobRefusal } from '../../../vault/index.js';
import { UnreadableRequest } from '../../signing/byte-reader.js';
import { CeremonyFault } from '../../threshold/ceremony-fault.js';
import { KeyRefused } from '../wallet-signer.js';

/** An error on its way between two processes. */
export interface Fault {
  readonly name: string;
  readonly text: string;
  readonly party?: number | null;
}

/** Something in the signer that nobody foresaw: its message stays there, since nobody knows what it quotes. */
export class SignerFault extends Error {
  override readonly name = 'SignerFault';
}

/** Errors that mean something to whoever called. Their messages quote nothing that is secret. */
const FORESEEN: Readonly<Record<string, (fault: Fault) => Error>> = {
  KeyRefused: ({ text }) => new KeyRefused(text),
  UnreadableRequest: ({ text }) => new UnreadableRequest(text),
  CeremonyFault: ({ text, party }) => new CeremonyFault(text, party ?? null),
  SealedBlobError: ({ text }) => new SealedBlobError(text as SealedBlobRefusal),
  KeyVaultUnavailableError: ({ text }) => new KeyVaultUnavailableError(text),
};

export function faultOf(error: unknown): Fault {
  if (error instanceof SealedBlobError) return { name: error.name, text: error.reason };
  if (error instanceof CeremonyFault) return { name: error.name, text: error.message, party: error.party };
  const isForeseen =
    error instanceof KeyRefused || error instanceof UnreadableRequest || error instanceof KeyVaultUnavailableError;
  if (isForeseen) return { name: error.name, text: error.message };
  return { name: 'SignerFault', text: `The signer failed: ${error instanceof Error ? error.name : typeof error}.` };
}

export const errorOf = (fault: Fault): Error =>
  Object.hasOwn(FORESEEN, fault.name) ? FORESEEN[fault.name]!(fault) : new SignerFault(fault.text);
