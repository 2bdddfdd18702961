import { parseTonAddress, tonSpellings } from './ton-address.js';
import { tronSpellings } from './tron-address.js';

/** Bech32 and Bech32m (BIP 173, BIP 350): all upper or all lower case. Of any prefix: chains of Cosmos have one each. */
const BECH32 = /^(?:[a-z]{1,20}1[02-9ac-hj-np-z]{11,90}|[A-Z]{1,20}1[02-9AC-HJ-NP-Z]{11,90})$/;
/** Where an address can be nothing else, one of both cases is taken for the same as well, as some software writes it. */
const BECH32_IN_ANY_CASE = new RegExp(BECH32.source, 'i');
const HEX = /^0x([0-9a-f]{1,64})$/i;

/** Hex digits of an address. Software leaves out the zeros that such a number begins with, or writes them. */
const FULL_ADDRESS = 64;
const HEX_DIGITS: Readonly<Record<string, number>> = {
  ...{ aptos: FULL_ADDRESS, starknet: FULL_ADDRESS, sui: FULL_ADDRESS },
  flow: 16,
};
const BECH32_NAMESPACES: readonly string[] = ['bip122', 'cosmos', 'spark'];
/** Case is only a checksum (EIP-55). */
const CASELESS_NAMESPACE = 'eip155';
/** Hex digits of an address of EVM, which no longer one is. */
const EVM_DIGITS = 40;

/**
 * The one rule for which texts are the same address of a chain, by its namespace: two are if this returns the same for
 * both. Text that is no address of the namespace is compared as it is. `normal_address` is the same rule in the database.
 */
export function normalAddress(namespace: string, address: string): string {
  return spellingsOf(namespace, address)[0];
}

/**
 * The spellings of an address, the normal one first, for statements that compare each of them with a stored address and
 * with that in lower case.
 */
export function spellingsOf(namespace: string, address: string): [string, ...string[]] {
  if (namespace === CASELESS_NAMESPACE) return [address.toLowerCase()];
  if (namespace === 'ton') return ofTon(address) ?? [address];
  if (namespace === 'tron') return tronSpellings(address) ?? [address];
  const digits = HEX_DIGITS[namespace];
  if (digits !== undefined) return ofHex(address, digits) ?? [address];
  return [BECH32_NAMESPACES.includes(namespace) && BECH32_IN_ANY_CASE.test(address) ? address.toLowerCase() : address];
}

/** The same for an address whose chain is not known, as in lists: by its form. */
export function spellingsOnAnyChain(address: string): [string, ...string[]] {
  const own = ofTon(address) ?? tronSpellings(address);
  if (own) return own;
  const digits = HEX.exec(address)?.[1];
  // Zeros are left out of addresses of 32 bytes; a shorter number is an address of EVM, or none of anybody.
  if (digits !== undefined && digits.length > EVM_DIGITS) return ofHex(address, FULL_ADDRESS)!;
  return [digits !== undefined || BECH32.test(address) ? address.toLowerCase() : address];
}

function ofTon(address: string): [string, ...string[]] | null {
  const account = parseTonAddress(address);
  return account && (tonSpellings(account) as [string, ...string[]]);
}

function ofHex(address: string, length: number): [string, ...string[]] | null {
  const digits = HEX.exec(address)?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  const short = digits.replace(/^0+(?=.)/, '');
  if (short.length > length) return [`0x${short}`];
  const zeros = length - short.length;
  // Any of the zeros may be left out.
  return Array.from({ length: zeros + 1 }, (_, left) => `0x${'0'.repeat(zeros - left)}${short}`) as [
    string,
    ...string[],
  ];
}
