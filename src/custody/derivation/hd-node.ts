import { createHmac } from 'node:crypto';
import { SecretBytes } from '../../vault/index.js';

const KEY_BYTES = 32;

/** A node of a derivation tree: 32 bytes of private key and 32 of chain code, wiped together. */
export class HdNode {
  readonly #bytes: SecretBytes;

  private constructor(bytes: SecretBytes) {
    this.#bytes = bytes;
  }

  /** HMAC-SHA512 split into halves: the step that BIP-32 and SLIP-0010 share, for master and child nodes alike. */
  static fromHmac(key: string | Uint8Array, message: Uint8Array): HdNode {
    return new HdNode(SecretBytes.from(createHmac('sha512', key).update(message).digest()));
  }

  /** A view of this node's memory: reads as zeros once the node is wiped. */
  get privateKey(): Buffer {
    return this.#bytes.expose().subarray(0, KEY_BYTES);
  }

  /** A view, like the private key. */
  get chainCode(): Buffer {
    return this.#bytes.expose().subarray(KEY_BYTES);
  }

  /** A copy of the private key that outlives the node. */
  copyPrivateKey(): SecretBytes {
    return SecretBytes.from(Buffer.from(this.privateKey));
  }

  wipe(): void {
    this.#bytes.wipe();
  }
}

/** The input to a hardened child's HMAC: `0x00 | private key | index`. Secret: the caller must wipe it. */
export function hardenedMessage(node: HdNode, index: number): Buffer {
  const message = Buffer.alloc(1 + KEY_BYTES + 4);
  node.privateKey.copy(message, 1);
  message.writeUInt32BE(index, 1 + KEY_BYTES);
  return message;
}

/** Walks down a path from a master node and wipes every node except the last. */
export function descend(
  master: HdNode,
  path: readonly number[],
  childOf: (parent: HdNode, index: number) => HdNode,
): HdNode {
  let node = master;
  for (const index of path) {
    const parent = node;
    try {
      node = childOf(parent, index);
    } finally {
      parent.wipe();
    }
  }
  return node;
}
