import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';
import { Injectable } from '@nestjs/common';
import { fromBase64 } from '../signature-text.js';
import { WalletProof, type SignedText } from '../wallet-proof.js';
import { hash160 } from './bitcoin-script.js';

const SIGNATURE_BYTES = 64;
const PROGRAM_BYTES = 20;
/** Candidate points for `r`; the two beyond the order practically never occur. */
const RECOVERIES = [0, 1] as const;
/** A chain prefix and 20 bytes: longer programs belong to contracts and modules, which cannot sign. */
const ADDRESS = /^[a-z]{1,20}1[02-9ac-hj-np-z]{38}$/;

/** Cosmos wallets: secp256k1 keys over an ADR-036 document, which is not a transaction of any chain. */
@Injectable()
export class CosmosProof extends WalletProof {
  readonly chains = ['COSMOS'] as const;
  readonly account = 'Cosmos';
  readonly needsNetwork = false;

  override addressOf(text: string): string | null {
    return decode(text) ? text : null;
  }

  /** The signature is the 64 bytes that wallets return next to `pub_key`; the key is recovered from it. */
  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const [decoded, bytes] = [decode(address), fromBase64(signature)];
    if (!decoded || bytes?.length !== SIGNATURE_BYTES) return false;
    const document = Buffer.from(documentOf(address, text));
    return RECOVERIES.some((recovery) => addressOfSigner(recovery, bytes, document, decoded.prefix) === address);
  }
}

function decode(text: string): { prefix: string } | null {
  if (!ADDRESS.test(text)) return null;
  try {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`);
    return bech32.fromWords(words).length === PROGRAM_BYTES ? { prefix } : null;
  } catch {
    return null;
  }
}

/** Bech32 of RIPEMD-160(SHA-256(key)). */
export const addressOfKey = (publicKey: Uint8Array, prefix: string): string =>
  bech32.encode(prefix, bech32.toWords(hash160(publicKey)));

/** Signatures with a high `s` are refused, as on the chain. */
function addressOfSigner(recovery: number, bytes: Uint8Array, document: Uint8Array, prefix: string): string | null {
  try {
    const signature = secp256k1.Signature.fromBytes(bytes);
    if (signature.hasHighS()) return null;
    const recovered = Buffer.concat([Buffer.of(recovery), bytes]);
    return addressOfKey(secp256k1.recoverPublicKey(recovered, document, { prehash: true }), prefix);
  } catch {
    return null;
  }
}

/** ADR-036: the amino JSON of a document with one `MsgSignData`, keys sorted, everything else empty. */
export const documentOf = (signer: string, text: string): string =>
  JSON.stringify({
    account_number: '0',
    chain_id: '',
    fee: { amount: [], gas: '0' },
    memo: '',
    msgs: [{ type: 'sign/MsgSignData', value: { data: Buffer.from(text).toString('base64'), signer } }],
    sequence: '0',
  });
