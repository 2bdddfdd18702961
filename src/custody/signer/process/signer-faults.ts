import { KeyVaultUnavailableError, SealedBlobError, type SealedBlobRefusal } from '../../../vault/index.js';
import { UnreadableRequest } from '../../signing/byte-reader.js';
import { CeremonyFault } from '../../threshold/ceremony-fault.js';
import { notFound } from '../../../common/errors/index.js';
import { signerUnavailable } from '../../custody.errors.js';
import { KeysGone, RowsUnavailable } from '../rows/sealed-rows.js';
import { KeyRefused } from '../wallet-signer.js';

/** The same wherever a signer is unavailable. */
const RETRY_AFTER_SECONDS = 1;

/** An error in transit between two processes. */
export interface Fault {
  readonly name: string;
  readonly text: string;
  readonly party?: number | null;
}

/** An unexpected error in the signer: its message stays there, since it might quote anything. */
export class SignerFault extends Error {
  override readonly name = 'SignerFault';
}

/** Errors that mean something to the caller. Their messages quote nothing secret. */
const FORESEEN: Readonly<Record<string, (fault: Fault) => Error>> = {
  KeyRefused: ({ text }) => new KeyRefused(text),
  UnreadableRequest: ({ text }) => new UnreadableRequest(text),
  CeremonyFault: ({ text, party }) => new CeremonyFault(text, party ?? null),
  SealedBlobError: ({ text }) => new SealedBlobError(text as SealedBlobRefusal),
  KeyVaultUnavailableError: ({ text }) => new KeyVaultUnavailableError(text),
  // As if the instance itself had not found them.
  KeysGone: () => notFound(),
  RowsUnavailable: ({ text }) => signerUnavailable({ cause: new Error(text), retryAfterSeconds: RETRY_AFTER_SECONDS }),
};

const AS_THEY_ARE = [KeyRefused, UnreadableRequest, KeyVaultUnavailableError, KeysGone, RowsUnavailable];

export function faultOf(error: unknown): Fault {
  if (error instanceof SealedBlobError) return { name: error.name, text: error.reason };
  if (error instanceof CeremonyFault) return { name: error.name, text: error.message, party: error.party };
  if (AS_THEY_ARE.some((kind) => error instanceof kind)) {
    const { name, message } = error as Error;
    return { name, text: message };
  }
  return { name: 'SignerFault', text: `The signer failed: ${error instanceof Error ? error.name : typeof error}.` };
}

export const errorOf = (fault: Fault): Error =>
  Object.hasOwn(FORESEEN, fault.name) ? FORESEEN[fault.name]!(fault) : new SignerFault(fault.text);
