import { createPublicKey, type KeyObject } from 'node:crypto';
import type { SignedToken } from './signed-token.js';

interface UsableKey {
  id: string | null;
  algorithm: string | null;
  type: string;
  key: KeyObject;
}

const MAX_KEYS = 50;

/** The keys of a published set (RFC 7517 §5) that can verify signatures; others are ignored. */
export class KeySet {
  private constructor(private readonly keys: readonly UsableKey[]) {}

  /** Null if the text is not a key set. */
  static parse(text: string): KeySet | null {
    try {
      const { keys } = JSON.parse(text) as { keys?: unknown };
      return Array.isArray(keys) ? new KeySet(keys.slice(0, MAX_KEYS).flatMap(usable)) : null;
    } catch {
      return null;
    }
  }

  /** The key named by a token; if it names none, the only suitable one. */
  find({ keyId, algorithm }: Pick<SignedToken, 'keyId' | 'algorithm'>): KeyObject | null {
    const fitting = this.keys.filter(
      (key) => key.type === algorithm.kty && (key.algorithm === null || key.algorithm === algorithm.name),
    );
    const named = keyId === null ? fitting : fitting.filter(({ id }) => id === keyId);
    return named.length === 1 ? named[0]!.key : null;
  }
}

function usable(jwk: unknown): UsableKey[] {
  if (typeof jwk !== 'object' || jwk === null) return [];
  const { kty, kid, alg, use, key_ops: operations, d } = jwk as Record<string, unknown>;
  // A published private key is compromised.
  if (typeof kty !== 'string' || d !== undefined || (use !== undefined && use !== 'sig')) return [];
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return [];
  try {
    const key = createPublicKey({ key: jwk as never, format: 'jwk' });
    return [{ id: textOr(kid), algorithm: textOr(alg), type: kty, key }];
  } catch {
    return [];
  }
}

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);
