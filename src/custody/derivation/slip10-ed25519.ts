import type { SecretBytes } from '../../vault/index.js';
import { HARDENED } from './derivation-path.js';
import { descend, hardenedMessage, HdNode } from './hd-node.js';

const MASTER_KEY = 'ed25519 seed';

/**
 * Private derivation for Ed25519 (SLIP-0010). Every 256-bit string is a valid Ed25519 seed, so no path is invalid.
 *
 * @param path child indexes with bit 31 set
 * @throws RangeError if a step is not hardened: SLIP-0010 defines no other child for Ed25519
 */
export function deriveEd25519(seed: SecretBytes, path: readonly number[]): HdNode {
  if (path.some((index) => index < HARDENED)) throw new RangeError('Ed25519 keys have hardened children only.');
  return descend(HdNode.fromHmac(MASTER_KEY, seed.expose()), path, childOf);
}

function childOf(parent: HdNode, index: number): HdNode {
  const message = hardenedMessage(parent, index);
  const child = HdNode.fromHmac(parent.chainCode, message);
  message.fill(0);
  return child;
}
