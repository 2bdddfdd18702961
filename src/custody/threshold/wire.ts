import { CeremonyFault } from './ceremony-fault.js';

/** The messages between participants: participants by number, points and scalars in hexadecimal. */
export interface Round1Package {
  readonly id: number;
  /** Commitments to the coefficients of the participant's polynomial. */
  readonly commitment: readonly string[];
  /** Proof of knowledge of the first coefficient. */
  readonly proof: string;
}

/** A share of one participant's polynomial for another, sealed with HPKE. */
export interface SealedShare {
  readonly from: number;
  readonly to: number;
  /** Base64url. */
  readonly enc: string;
  readonly ciphertext: string;
}

/** RFC 9591, section 5.1. */
export interface NonceCommitment {
  readonly id: number;
  readonly hiding: string;
  readonly binding: string;
}

/** RFC 9591, section 5.2. */
export interface SignatureShare {
  readonly id: number;
  readonly share: string;
}

export interface KeygenShares {
  readonly packages: readonly Round1Package[];
  readonly shares: readonly SealedShare[];
}

/** A user participant's commitments to the polynomial that deals its share. */
export interface Dealing {
  readonly id: number;
  readonly commitment: readonly string[];
}

export interface ReshareShares {
  /** Base58 of X25519 public keys, one for each of the user's participants in the new scheme. */
  readonly keygenIds: readonly string[];
  readonly packages: readonly Dealing[];
  readonly shares: readonly SealedShare[];
}

export interface SigningShares {
  readonly commitments: readonly NonceCommitment[];
  readonly shares: readonly SignatureShare[];
}

/** No scheme has more participants. */
const MOST = 5;
const HEX32 = /^[0-9a-f]{64}$/;
/** Ed25519, or compressed secp256k1: whether it is on the key's curve is checked when it is used. */
const POINT = /^(?:0[23])?[0-9a-f]{64}$/;
const HEX64 = /^[0-9a-f]{128}$/;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const BASE64URL = /^[A-Za-z0-9_-]{1,128}$/;

/** @throws CeremonyFault */
export function parseKeygenShares(message: Readonly<Record<string, unknown>>): KeygenShares {
  const { packages, shares } = ofType(message, 'keygen.shares', ['packages', 'shares']);
  return {
    packages: list(packages, 'packages').map((one) => ({
      id: party(one['id']),
      commitment: points(one['commitment']),
      proof: text(one['proof'], HEX64, 'proof'),
    })),
    shares: sealedShares(shares),
  };
}

/** @throws CeremonyFault */
export function parseReshareShares(message: Readonly<Record<string, unknown>>): ReshareShares {
  const fields = ['keygenIds', 'packages', 'shares'];
  const { keygenIds, packages, shares } = ofType(message, 'reshare.shares', fields);
  return {
    keygenIds: list(keygenIds, 'keygenIds', isText).map((id) => text(id, BASE58, 'keygenIds')),
    packages: list(packages, 'packages').map((one) => ({
      id: party(one['id']),
      commitment: points(one['commitment']),
    })),
    shares: sealedShares(shares),
  };
}

/** @throws CeremonyFault */
export function parseSigningShares(message: Readonly<Record<string, unknown>>): SigningShares {
  const { commitments, shares } = ofType(message, 'sign.shares', ['commitments', 'shares']);
  return {
    commitments: list(commitments, 'commitments').map((one) => ({
      id: party(one['id']),
      hiding: text(one['hiding'], POINT, 'hiding'),
      binding: text(one['binding'], POINT, 'binding'),
    })),
    shares: list(shares, 'shares').map((one) => ({ id: party(one['id']), share: text(one['share'], HEX32, 'share') })),
  };
}

export function ofType(message: Readonly<Record<string, unknown>>, type: string, fields: readonly string[]) {
  const { type: given, ...rest } = message;
  if (given !== type) throw new CeremonyFault(`the ceremony goes on with a message of type ${type}`);
  const unknown = Object.keys(rest).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw new CeremonyFault(`a message of type ${type} has no such field`);
  return rest;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown): value is string => typeof value === 'string';

export function list<T = Record<string, unknown>>(
  value: unknown,
  name: string,
  is: (one: unknown) => boolean = isRecord,
  most = MOST,
): T[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > most || !value.every(is))
    throw new CeremonyFault(`${name} is no list of 1 to ${most}`);
  return value as T[];
}

const points = (value: unknown): string[] =>
  list(value, 'commitment', isText).map((point) => text(point, POINT, 'commitment'));

const sealedShares = (value: unknown): SealedShare[] =>
  list(value, 'shares', isRecord, MOST * MOST).map((one) => ({
    from: party(one['from']),
    to: party(one['to']),
    enc: text(one['enc'], BASE64URL, 'enc'),
    ciphertext: text(one['ciphertext'], BASE64URL, 'ciphertext'),
  }));

export function party(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MOST)
    throw new CeremonyFault('participants are numbers from 1');
  return value as number;
}

export function text(value: unknown, pattern: RegExp, name: string): string {
  if (!isText(value) || !pattern.test(value)) throw new CeremonyFault(`${name} has another form`);
  return value;
}
