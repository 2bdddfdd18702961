import type { Hex } from 'viem';
import type { SigningRequest } from '../signing-request.js';

/** Not determined by the bytes. Policies must assume the worst. */
export const UNKNOWN = Symbol('unknown');

export type Unknown = typeof UNKNOWN;

/** An argument of a call, with its Solidity type. */
export interface Argument {
  readonly type: string;
  readonly value: unknown;
}

/** What is called, on chains whose bytes distinguish calls. */
export type Call =
  | { readonly kind: 'function'; readonly data: Hex }
  | { readonly kind: 'typedData'; readonly primaryType: string; readonly members: readonly Argument[] };

/** One thing that a signature agrees to, according to the bytes. */
export interface Effect {
  /** The addressee, in the chain's address format; null if there is none. */
  readonly to: string | null | Unknown;
  /**
   * Further addressees: the program besides the payee, or anyone who may receive something through the program. Only
   * deny rules check these, since allowing one is not allowing the other.
   */
  readonly alsoTo?: readonly (string | Unknown)[];
  /** Amount of the chain's native coin, in its smallest unit. */
  readonly value: bigint | Unknown;
  /** A token that it transfers or approves; null if no token transfer is recognised. */
  readonly token: { readonly asset: string; readonly amount: bigint } | null;
  readonly call: Call | null;
}

/** Nothing is known about it except that it is signed. */
export const OPAQUE: Effect = { to: null, value: UNKNOWN, token: null, call: null };

/** An operation on an account or by a program that is not understood any further. */
export const opaqueCall = (to: string | Unknown, alsoTo: readonly (string | Unknown)[] = []): Effect => ({
  ...OPAQUE,
  to,
  ...(alsoTo.length > 0 && { alsoTo }),
});

export const coins = (to: string | null | Unknown, value: bigint | Unknown): Effect => ({
  to,
  value,
  token: null,
  call: null,
});

export type RequestOf<K extends SigningRequest['kind']> = Extract<SigningRequest, { kind: K }>;
