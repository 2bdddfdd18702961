import type { Hex } from 'viem';
import type { SigningRequest } from '../signing-request.js';

/** What the bytes leave open. Whoever judges takes it for whatever is worst. */
export const UNKNOWN = Symbol('unknown');

export type Unknown = typeof UNKNOWN;

/** A member of what is called, with its type as Solidity writes it. */
export interface Argument {
  readonly type: string;
  readonly value: unknown;
}

/** What is called, where the chain has calls that can be told apart by their bytes. */
export type Call =
  | { readonly kind: 'function'; readonly data: Hex }
  | { readonly kind: 'typedData'; readonly primaryType: string; readonly members: readonly Argument[] };

/** One thing that a signature agrees to, as its bytes say. */
export interface Effect {
  /** Whom or what it is addressed to, as the chain writes addresses; null for nobody. */
  readonly to: string | null | Unknown;
  /**
   * What else it is addressed to: the program beside whom it pays, or who may get something by the program. Only rules
   * that deny ask for it, since to allow one is not to allow the other.
   */
  readonly alsoTo?: readonly (string | Unknown)[];
  /** Of the chain's own coin, in its smallest unit. */
  readonly value: bigint | Unknown;
  /** A token that it moves or gives away the right to; null where it is none that is understood. */
  readonly token: { readonly asset: string; readonly amount: bigint } | null;
  readonly call: Call | null;
}

/** Nothing is known of it but that it is signed. */
export const OPAQUE: Effect = { to: null, value: UNKNOWN, token: null, call: null };

/** Something that is done to an account or by a program, of which nothing else is understood. */
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
