import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { ed25519Sign } from '../derivation/ed25519-key.js';
import { UnreadableRequest } from './byte-reader.js';
import type { Signable, SigningAccount } from './signable.js';
import type { Signed, SigningRequest } from './signing-request.js';
import { parseSolanaMessage, parseSolanaTransaction, withSignature } from './solana-transaction.js';

type Of<K extends SigningRequest['kind']> = Extract<SigningRequest, { kind: K }>;

/** First bytes that mark versions after 0. No UTF-8 text begins with them: they are continuation bytes. */
const LATER_VERSIONS = { first: 0x81, last: 0xbf } as const;
/** A transaction of any version names at least a signer and a recent blockhash, 32 bytes each. */
const LEAST_BYTES = 1 + 32 + 32;

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Signs the bytes as is. Nothing distinguishes them from a transaction, so anything that is one, or may be one of an
 * unsupported version, is refused.
 */
export function solanaMessage(_account: SigningAccount, { message }: Of<'message'>): Signable {
  const bytes = Buffer.from(message);
  if (isTransaction(bytes)) throw new UnreadableRequest('the message is a transaction');
  if (isOfLaterVersion(bytes)) throw new UnreadableRequest('the message may be a transaction of a later version');
  return signable(bytes, (signature) => ({ signature: base58.encode(signature) }));
}

export function solanaTransaction({ address }: SigningAccount, { transaction }: Of<'solanaTransaction'>): Signable {
  const bytes = Buffer.from(transaction);
  const parsed = parseSolanaTransaction(bytes);
  const at = parsed.signers.indexOf(address);
  if (at < 0) throw new UnreadableRequest('the wallet is not among its signers');
  return signable(parsed.message, (signature) => {
    const signedTransaction = withSignature(bytes, parsed, at, signature).toString('base64');
    return { signature: base58.encode(signature), signedTransaction };
  });
}

const signable = (message: Buffer, written: (signature: Buffer) => Signed): Signable => ({
  digest: digestOf(message),
  networkId: null,
  sign: (key) => written(ed25519Sign(message, key)),
  schnorr: { message, written },
});

/** With or without its signatures. */
function isTransaction(bytes: Buffer): boolean {
  return [parseSolanaMessage, parseSolanaTransaction].some((parse) => {
    try {
      parse(bytes);
      return true;
    } catch {
      return false;
    }
  });
}

function isOfLaterVersion(bytes: Buffer): boolean {
  const { first, last } = LATER_VERSIONS;
  const mark = bytes[0] ?? 0;
  return bytes.length >= LEAST_BYTES && mark >= first && mark <= last;
}
