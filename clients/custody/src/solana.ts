import type { MessagePartialSigner, SignatureDictionary, TransactionPartialSigner } from '@solana/kit';
import { joined } from './encoding.js';
import type { SharedKey } from './shared-key.js';

const NO_SIGNATURE = new Uint8Array(64);

/** The type that `@solana/kit` expects for signers of messages and transactions. */
export type SolanaSigner = MessagePartialSigner & TransactionPartialSigner;

/**
 * A signer for `@solana/kit`, of which only types are imported. Several messages or transactions are signed in
 * sequence, each in its own room; when one is refused or the signal aborts, no signature is returned.
 */
export function solanaSigner(key: SharedKey): SolanaSigner {
  const address = key.address as SolanaSigner['address'];
  const each = async <T>(
    all: readonly T[],
    signal: AbortSignal | undefined,
    sign: (one: T) => Promise<Uint8Array>,
  ): Promise<readonly SignatureDictionary[]> => {
    const signatures: SignatureDictionary[] = [];
    for (const one of all) {
      signal?.throwIfAborted();
      signatures.push({ [address]: await sign(one) } as SignatureDictionary);
    }
    return signatures;
  };
  return {
    address,
    signMessages: (messages, config) =>
      each(messages, config?.abortSignal, ({ content }) => key.sign('message', content)),
    signTransactions: (transactions, config) =>
      each(transactions, config?.abortSignal, ({ messageBytes, signatures }) => {
        if (!(address in signatures)) throw new Error(`The transaction asks ${address} for no signature.`);
        return key.sign('transaction', wireFormat(Uint8Array.from(messageBytes), Object.values(signatures)));
      }),
  };
}

/** A Solana transaction: the number of signatures as a varint of 7 bits per byte, the signatures, the message. */
function wireFormat(message: Uint8Array, signatures: readonly (Uint8Array | null)[]): Uint8Array {
  const { length } = signatures;
  const count = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
  return joined(Uint8Array.from(count), ...signatures.map((signature) => signature ?? NO_SIGNATURE), message);
}
