import type { PublicKey, Signer } from '@mysten/sui/cryptography';
import { base64 } from '@scure/base';
import { joined } from './encoding.js';
import type { SharedKey } from './shared-key.js';

/** Sui's scheme flag for Ed25519, which precedes its signatures. */
const ED25519 = Uint8Array.of(0);

/**
 * A signer for `@mysten/sui`, of which only types are imported.
 *
 * @param publicKey `new Ed25519PublicKey(key.publicKey)`
 * @throws Error when it is that of another key
 */
export function suiSigner(key: SharedKey, publicKey: PublicKey): Signer {
  if (publicKey.toSuiAddress() !== key.address) throw new Error('The public key is of another wallet.');
  const serialized = async (kind: 'message' | 'transaction', bytes: Uint8Array): Promise<string> =>
    base64.encode(joined(ED25519, await key.sign(kind, bytes), key.publicKey));
  const signer: Signer = {
    getKeyScheme: () => 'ED25519',
    getPublicKey: () => publicKey,
    toSuiAddress: () => key.address,
    sign: () => Promise.reject(new Error('Bytes that cannot be read are not signed: sign a transaction or a message.')),
    signTransaction: async (bytes) => ({
      bytes: base64.encode(bytes),
      signature: await serialized('transaction', bytes),
    }),
    signPersonalMessage: async (bytes) => ({
      bytes: base64.encode(bytes),
      signature: await serialized('message', bytes),
    }),
    signWithIntent: async (bytes, intent) => {
      if (intent === 'TransactionData') return signer.signTransaction(bytes);
      if (intent !== 'PersonalMessage') throw new Error(`Nothing is signed as ${intent}.`);
      return { bytes: base64.encode(bytes), signature: await serialized('message', contentOf(bytes)) };
    },
    signAndExecuteTransaction: async ({ transaction, client }) => {
      transaction.setSenderIfNotSet(key.address);
      const bytes = await transaction.build({ client });
      const { signature } = await signer.signTransaction(bytes);
      return (await client.core.executeTransaction({ transaction: bytes, signatures: [signature] })).transaction;
    },
  };
  return signer;
}

/** The content of a BCS byte vector, after its length as a varint of 7 bits per byte. */
function contentOf(vector: Uint8Array): Uint8Array {
  let [length, at] = [0, 0];
  for (let scale = 1; at < 5; scale *= 128) {
    const byte = vector[at++] ?? 0;
    length += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
  }
  if (vector.length - at !== length) throw new Error('The message is no vector of bytes in BCS.');
  return vector.slice(at);
}
