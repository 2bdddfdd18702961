import {
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  keccak256,
  namehash,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  type Address,
  type Hex,
} from 'viem';
import { nameOfWire } from './domain-names.js';

/** ENSIP-10, as passed by resolvers to gateways. */
const RESOLVE = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)']);
/** EIP-137, ENSIP-9 and ENSIP-5. */
const RECORDS = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
]);
const ETHEREUM = 60n;
const NOBODY: Address = '0x0000000000000000000000000000000000000000';

/** A question about a name. */
export interface NameQuestion {
  name: string;
  /** The encoded answer if the name resolves to this address; null for no address. */
  answer: (address: Address | null) => Hex;
}

/** Null unless it is an ENSIP-10 question about a record type supported here. */
export function questionOf(request: Hex): NameQuestion | null {
  try {
    const [wire, data] = decodeFunctionData({ abi: RESOLVE, data: request }).args;
    const name = nameOfWire(wire);
    const asked = decodeFunctionData({ abi: RECORDS, data });
    // Both identify the name: an answer signed for one must not be taken as an answer for the other.
    if (name === null || asked.args[0] !== namehash(name)) return null;
    return { name, answer: (address) => recordOf(asked, address) };
  } catch {
    return null;
  }
}

function recordOf(asked: ReturnType<typeof decodeFunctionData<typeof RECORDS>>, address: Address | null): Hex {
  if (asked.functionName === 'text') return encodeAbiParameters(parseAbiParameters('string'), ['']);
  if (asked.args.length === 1) return encodeAbiParameters(parseAbiParameters('address'), [address ?? NOBODY]);
  const isKnown = asked.args[1] === ETHEREUM && address !== null;
  return encodeAbiParameters(parseAbiParameters('bytes'), [isKnown ? address : '0x']);
}

/**
 * The signed hash, as ENS resolvers for off-chain records compute it: data with an intended validator (ERC-191, version
 * 0), so that an answer is valid for one resolver and one question, until it expires.
 */
export const answerHash = (sender: Address, expires: bigint, request: Hex, result: Hex): Hex =>
  keccak256(concat(['0x1900', sender, numberToHex(expires, { size: 8 }), keccak256(request), keccak256(result)]));

export const encodedAnswer = (result: Hex, expires: bigint, signature: Hex): Hex =>
  encodeAbiParameters(parseAbiParameters('bytes, uint64, bytes'), [result, expires, signature]);
