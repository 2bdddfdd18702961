import type { Hex, TransactionSerializable } from 'viem';
// A small part of the library, since this is loaded by the process that opens keys.
import { hashMessage, keccak256, parseTransaction, serializeTransaction } from 'viem/utils';
import { secp256k1Sign } from '../derivation/secp256k1-key.js';
import { UnreadableRequest } from './byte-reader.js';
import type { EcdsaSignature } from '../external/threshold-ecdsa.js';
import type { Signable, SigningAccount } from './signable.js';
import type { Signed, SigningRequest, TypedData } from './signing-request.js';
import { assertTypes } from './typed-data-form.js';
import { typedDataDigest } from './typed-data-hash.js';
import { integerOf } from './typed-data-values.js';

type Of<K extends SigningRequest['kind']> = Extract<SigningRequest, { kind: K }>;

/** Transaction types whose every field is understood. Others delegate accounts (EIP-7702) or carry blobs (EIP-4844). */
const TRANSACTION_TYPES = ['legacy', 'eip2930', 'eip1559'];

/** EIP-712, "Definition of domainSeparator". */
const DOMAIN_TYPES: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};
const DOMAIN = 'EIP712Domain';
const MOST_CHAIN_ID = BigInt(Number.MAX_SAFE_INTEGER);

/** EIP-191, version 0x45: never a transaction, and never someone else's digest. */
export function evmMessage(_account: SigningAccount, { message }: Of<'message'>): Signable {
  const digest = bytesOf(hashMessage({ raw: new Uint8Array(message) }));
  return signable(digest, null, (made) => ({ signature: signatureHex(made) }));
}

export function evmTransaction(_account: SigningAccount, { transaction: serialized }: Of<'evmTransaction'>): Signable {
  const { transaction, chainId } = parsed(serialized);
  const digest = bytesOf(keccak256(serialized));
  return signable(digest, chainId, (made) => {
    const { signature: bytes, recoveryId } = made;
    const [r, s] = [hexOf(bytes.subarray(0, 32)), hexOf(bytes.subarray(32))];
    const signature = { r, s, yParity: recoveryId, v: BigInt(27 + recoveryId) };
    return { signature: signatureHex(made), signedTransaction: serializeTransaction(transaction, signature) };
  });
}

export function evmTypedData(_account: SigningAccount, { typedData }: Of<'typedData'>): Signable {
  const networkId = assertDomain(typedData);
  assertTypes(typedData);
  const digest = typedDataDigest(withDomainType(typedData), DOMAIN);
  return signable(digest, networkId, (made) => ({ signature: signatureHex(made) }));
}

function parsed(serialized: Hex): { transaction: TransactionSerializable; chainId: number } {
  let transaction: TransactionSerializable & { type?: string };
  try {
    transaction = parseTransaction(serialized);
  } catch {
    throw new UnreadableRequest('it is no transaction in the form of EIP-2718 or RLP');
  }
  if (!TRANSACTION_TYPES.includes(transaction.type ?? '')) {
    throw new UnreadableRequest(`transactions of type ${transaction.type} are not signed`);
  }
  if ('r' in transaction) throw new UnreadableRequest('it is signed already');
  const { chainId } = transaction;
  if (!chainId) throw new UnreadableRequest('it names no chain (EIP-155), so it would be good on all of them');
  // What was parsed is what is signed, to the last byte.
  if (written(transaction) !== serialized.toLowerCase()) {
    throw new UnreadableRequest('it is not in canonical form');
  }
  return { transaction, chainId };
}

/** Null for what the library parses but cannot serialise: numbers too large for it, storage keys in another form. */
function written(transaction: TransactionSerializable): Hex | null {
  try {
    return serializeTransaction(transaction);
  } catch {
    return null;
  }
}

/**
 * Requires a domain that names its chain, with known members only, all of which are hashed: an `EIP712Domain` type that
 * omits one would make a signature for this chain valid on every other.
 */
function assertDomain({ domain, types, primaryType }: TypedData): number {
  const members = Object.keys(domain);
  const unknown = members.find((name) => !Object.hasOwn(DOMAIN_TYPES, name));
  if (unknown !== undefined) throw new UnreadableRequest('the domain has a member that EIP-712 does not know');
  const declared = types[DOMAIN];
  const isWhole =
    declared === undefined ||
    (declared.length === members.length &&
      declared.every(({ name, type }) => Object.hasOwn(domain, name) && DOMAIN_TYPES[name] === type));
  if (!isWhole) throw new UnreadableRequest('the type EIP712Domain is not that of the domain');
  if (primaryType === DOMAIN || !Object.hasOwn(types, primaryType)) {
    throw new UnreadableRequest('the primary type is not among the types');
  }
  const chainId = integerOf(domain['chainId']);
  if (chainId === null || chainId < 1n || chainId > MOST_CHAIN_ID) {
    throw new UnreadableRequest('the domain names no chain');
  }
  return Number(chainId);
}

/** If the domain type is not declared, it has all members of the domain, in EIP-712 order. */
function withDomainType(typedData: TypedData): TypedData {
  const members = Object.entries(DOMAIN_TYPES).filter(([name]) => Object.hasOwn(typedData.domain, name));
  return { ...typedData, types: { [DOMAIN]: members.map(([name, type]) => ({ name, type })), ...typedData.types } };
}

const signable = (
  digest: Buffer,
  networkId: number | null,
  written: (signature: EcdsaSignature) => Signed,
): Signable => ({ digest, networkId, sign: (key) => written(secp256k1Sign(digest, key)), written });

/** `r | s | v` with v of 27 or 28, as `eth_sign` and its successors return it. */
const signatureHex = ({ signature, recoveryId }: EcdsaSignature): string =>
  hexOf(Buffer.concat([signature, Buffer.of(27 + recoveryId)]));

const hexOf = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`;
const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');
