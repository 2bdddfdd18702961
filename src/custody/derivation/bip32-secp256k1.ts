import type { SecretBytes } from '../../vault/index.js';
import { HARDENED } from './derivation-path.js';
import { descend, hardenedMessage, HdNode } from './hd-node.js';
import { compressPublicKey, secp256k1PublicKey } from './secp256k1-key.js';
import { addScalar, isScalar } from './secp256k1-scalar.js';

const MASTER_KEY = 'Bitcoin seed';

/**
 * Private derivation on secp256k1 (BIP-32, "Private parent key → private child key"). libsecp256k1 does the curve
 * arithmetic, one multiplication per non-hardened level.
 *
 * @param path child indexes, hardened ones with bit 31 set
 * @throws RangeError for the one path in 2^127 that BIP-32 declares invalid; use the next index instead
 */
export function deriveSecp256k1(seed: SecretBytes, path: readonly number[]): HdNode {
  const master = HdNode.fromHmac(MASTER_KEY, seed.expose());
  assertScalar(master);
  return descend(master, path, childOf);
}

function childOf(parent: HdNode, index: number): HdNode {
  const message = index >= HARDENED ? hardenedMessage(parent, index) : publicMessage(parent, index);
  const child = HdNode.fromHmac(parent.chainCode, message);
  message.fill(0);
  // BIP-32 declares I_L >= n and a zero sum invalid.
  assertScalar(child);
  addScalar(child.privateKey, parent.privateKey);
  assertScalar(child);
  return child;
}

/** `compressed public key | index` */
function publicMessage(parent: HdNode, index: number): Buffer {
  const message = Buffer.alloc(33 + 4);
  compressPublicKey(secp256k1PublicKey(parent.privateKey)).copy(message);
  message.writeUInt32BE(index, 33);
  return message;
}

function assertScalar(node: HdNode): void {
  if (isScalar(node.privateKey)) return;
  node.wipe();
  throw new RangeError('This derivation path has no valid key.');
}
