import { blake2b } from '@noble/hashes/blake2.js';
import { ed25519PublicKey, ed25519Sign } from '../derivation/ed25519-key.js';
import { UnreadableRequest } from './byte-reader.js';
import type { Signable, SigningAccount } from './signable.js';
import type { Signed, SigningRequest } from './signing-request.js';
import { readSuiTransaction } from './sui-transaction.js';

type Of<K extends SigningRequest['kind']> = Extract<SigningRequest, { kind: K }>;

/** Intents: scope, version 0, application Sui. A signature for one scope is not valid for another. */
const TRANSACTION = Buffer.of(0, 0, 0);
const PERSONAL_MESSAGE = Buffer.of(3, 0, 0);
/** Signature schemes by their flag. */
const ED25519 = 0x00;

export function suiMessage(_account: SigningAccount, { message }: Of<'message'>): Signable {
  return signable(PERSONAL_MESSAGE, Buffer.concat([uleb128(message.length), message]));
}

/** For the sender or the gas owner to sign. */
export function suiTransaction({ address }: SigningAccount, { transaction }: Of<'suiTransaction'>): Signable {
  const bytes = Buffer.from(transaction);
  const { sender, gasOwner } = readSuiTransaction(bytes);
  if (address !== sender && address !== gasOwner) throw new UnreadableRequest('the wallet is not among its signers');
  return signable(TRANSACTION, bytes);
}

function signable(intent: Buffer, bytes: Buffer): Signable {
  const digest = Buffer.from(blake2b(Buffer.concat([intent, bytes]), { dkLen: 32 }));
  return {
    digest,
    networkId: null,
    sign: (key) => written(ed25519Sign(digest, key), ed25519PublicKey(key)),
    schnorr: { message: digest, written },
  };
}

/** `flag | signature | public key`, base64: what a node takes alongside the unchanged transaction. */
const written = (signature: Buffer, publicKey: Buffer): Signed => ({
  signature: Buffer.concat([Buffer.of(ED25519), signature, publicKey]).toString('base64'),
});

function uleb128(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}
