import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hashMessage, hexToBytes, type Address, type Hex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

const NUMBERS_BYTES = 64;
const FIRST_RECOVERY = 27;

/**
 * Recovers the signer of a message (EIP-191) as viem does, but without its `import()` in every call: when TypeScript is
 * loaded from source, that looks up the module on disk each time and blocks all other requests.
 */
export function addressOfMessage(message: string, signature: Hex): Address {
  const bytes = hexToBytes(signature);
  const [recovery, numbers] = [(bytes[NUMBERS_BYTES] ?? 0) - FIRST_RECOVERY, bytes.subarray(0, NUMBERS_BYTES)];
  const recovered = Uint8Array.of(recovery, ...numbers);
  const compressed = secp256k1.recoverPublicKey(recovered, hashMessage(message, 'bytes'), { prehash: false });
  const whole = secp256k1.Point.fromBytes(compressed).toBytes(false);
  return publicKeyToAddress(`0x${Buffer.from(whole).toString('hex')}`);
}
