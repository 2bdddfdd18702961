import { compressPublicKey, secp256k1PublicKey } from '../derivation/secp256k1-key.js';
import { OP_RETURN, programOf, scriptOf, sized, taggedHash } from './bitcoin-script.js';
import {
  transactionId,
  witnessSighashOf,
  witnessSignature,
  type BitcoinOutput,
  type BitcoinTransaction,
} from './bitcoin-transaction.js';
import type { Signable, SigningAccount } from './signable.js';
import type { SigningRequest } from './signing-request.js';

const ZERO_4 = Buffer.alloc(4);
const ZERO_8 = Buffer.alloc(8);
/** The null outpoint of an input that spends nothing. */
const NOTHING = Buffer.concat([Buffer.alloc(32), Buffer.alloc(4, 0xff)]);

/** BIP-322, "Simple": a signature for a transaction that cannot exist, so it cannot spend coins. */
export function bitcoinMessage(
  { address }: SigningAccount,
  { message }: Extract<SigningRequest, { kind: 'message' }>,
): Signable {
  const { toSign } = messageTransaction(address, message);
  const digest = witnessSighashOf(toSign)(0, { program: programOf(address), value: ZERO_8 });
  return {
    digest,
    networkId: null,
    sign: (key) => {
      const publicKey = compressPublicKey(secp256k1PublicKey(key));
      const witness = [Buffer.of(2), sized(witnessSignature(digest, key)), sized(publicKey)];
      return { signature: Buffer.concat(witness).toString('base64') };
    },
  };
}

/** BIP-322, "Full": the transaction whose signature is the message's signature, and the output it spends. */
export function messageTransaction(
  address: string,
  message: Uint8Array,
): { readonly toSign: BitcoinTransaction; readonly spent: BitcoinOutput } {
  const script = scriptOf(address);
  const id = transactionId(toSpend(message, script));
  const input = { outpoint: Buffer.concat([id, ZERO_4]), script: Buffer.alloc(0), sequence: ZERO_4 };
  const outputs = [{ value: ZERO_8, script: OP_RETURN }];
  const toSign = { version: ZERO_4, inputs: [input], outputs, lockTime: ZERO_4 };
  return { toSign, spent: { value: ZERO_8, script } };
}

function toSpend(message: Uint8Array, script: Buffer): BitcoinTransaction {
  const challenge = Buffer.concat([Buffer.of(0x00, 0x20), messageHash(message)]);
  const inputs = [{ outpoint: NOTHING, script: challenge, sequence: ZERO_4 }];
  return { version: ZERO_4, inputs, outputs: [{ value: ZERO_8, script }], lockTime: ZERO_4 };
}

function messageHash(message: Uint8Array): Buffer {
  return taggedHash('BIP0322-signed-message', message);
}
