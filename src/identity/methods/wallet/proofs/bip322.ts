import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { compactSize, doubleSha256, hash160, outputScript, segwitHash, type BitcoinScript } from './bitcoin-script.js';

const ZERO_4 = Buffer.alloc(4);
const ZERO_8 = Buffer.alloc(8);
const SIGHASH_DEFAULT = 0x00;
const SIGHASH_ALL = 0x01;
/** The only output of `to_sign`: no value, `OP_RETURN`. */
const OUTPUT = Buffer.concat([ZERO_8, Buffer.of(1, 0x6a)]);

/** BIP-340, "Design": a hash tagged with its purpose. */
function taggedHash(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const name = sha256(Buffer.from(tag));
  return sha256(Buffer.concat([name, name, ...parts]));
}

export const bip322MessageHash = (text: string): Uint8Array => taggedHash('BIP0322-signed-message', Buffer.from(text));

/** BIP-322, "Full": the id of the transaction `to_spend`, which pays nothing to the address and holds the message. */
export function toSpendId(text: string, script: Uint8Array): Uint8Array {
  const scriptSig = Buffer.concat([Buffer.of(0x00, 0x20), bip322MessageHash(text)]);
  const input = Buffer.concat([
    Buffer.alloc(32),
    Buffer.alloc(4, 0xff),
    compactSize(scriptSig.length),
    scriptSig,
    ZERO_4,
  ]);
  const output = Buffer.concat([ZERO_8, compactSize(script.length), script]);
  return doubleSha256(Buffer.concat([ZERO_4, Buffer.of(1), input, Buffer.of(1), output, ZERO_4]));
}

/** BIP-143 for `to_sign`: one zero-value input, signed with SIGHASH_ALL. */
function segwitSighash(spent: Uint8Array, program: Uint8Array): Uint8Array {
  const outpoint = Buffer.concat([spent, ZERO_4]);
  const scriptCode = Buffer.concat([Buffer.of(0x19, 0x76, 0xa9, 0x14), program, Buffer.of(0x88, 0xac)]);
  const [outpoints, sequences, outputs] = [outpoint, ZERO_4, OUTPUT].map(doubleSha256);
  const type = Buffer.of(SIGHASH_ALL, 0, 0, 0);
  return doubleSha256(
    Buffer.concat([
      ...[ZERO_4, outpoints!, sequences!, outpoint, scriptCode, ZERO_8],
      ...[ZERO_4, outputs!, ZERO_4, type],
    ]),
  );
}

/** BIP-341, "Common signature message", for a key-path spend of `to_sign`. */
function taprootSighash(spent: Uint8Array, script: Uint8Array, type: number): Uint8Array {
  const outpoint = Buffer.concat([spent, ZERO_4]);
  const lengthAndScript = Buffer.concat([compactSize(script.length), script]);
  const hashes = [outpoint, ZERO_8, lengthAndScript, ZERO_4, OUTPUT].map((part) => sha256(part));
  const head = [Buffer.of(0x00, type), ZERO_4, ZERO_4];
  return taggedHash('TapSighash', ...head, ...hashes, Buffer.of(0x00), ZERO_4);
}

/**
 * BIP-322, "Simple": whether a witness is a valid key spend of `to_sign` for a P2WPKH or P2TR address, or for P2WPKH in
 * P2SH, whose signature input follows from the key.
 */
export function verifiesBip322(witness: Uint8Array, text: string, address: BitcoinScript): boolean {
  const stack = parseWitness(witness);
  const spent = toSpendId(text, outputScript(address));
  try {
    return address.kind === 'p2tr' ? verifiesP2tr(stack, spent, address) : verifiesP2wpkh(stack, spent, address);
  } catch {
    return false;
  }
}

function verifiesP2wpkh([signature, key, ...more]: Uint8Array[], spent: Uint8Array, address: BitcoinScript): boolean {
  if (!signature || key?.length !== 33 || more.length > 0 || signature.at(-1) !== SIGHASH_ALL) return false;
  const hash = segwitHash(address.kind, key);
  if (hash === null || !Buffer.from(hash).equals(address.program)) return false;
  const options = { prehash: false, lowS: true, format: 'der' } as const;
  return secp256k1.verify(signature.subarray(0, -1), segwitSighash(spent, hash160(key)), key, options);
}

function verifiesP2tr([signature, ...more]: Uint8Array[], spent: Uint8Array, address: BitcoinScript): boolean {
  if (!signature || more.length > 0) return false;
  const type = signature.length === 65 ? signature[64]! : SIGHASH_DEFAULT;
  const isRightForm = signature.length === 64 || (signature.length === 65 && type === SIGHASH_ALL);
  const sighash = taprootSighash(spent, outputScript(address), type);
  return isRightForm && schnorr.verify(signature.subarray(0, 64), sighash, address.program);
}

/** The elements of a witness (BIP-144); empty if bytes are missing or left over. All of ours are short. */
function parseWitness(bytes: Uint8Array): Uint8Array[] {
  const stack: Uint8Array[] = [];
  let at = 1;
  for (let left = bytes[0] ?? 0; left > 0; left -= 1) {
    const length = bytes[at];
    if (length === undefined || length >= 0xfd || at + 1 + length > bytes.length) return [];
    stack.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return at === bytes.length ? stack : [];
}
