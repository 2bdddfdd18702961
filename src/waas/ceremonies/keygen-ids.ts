import { base58 } from '@scure/base';
import { clientParties, kemOf, type ShareScheme } from '../../custody/index.js';

/** X25519 public keys in hexadecimal, or why they cannot serve as keys of the user's participants. */
export async function clientKeysOf(
  keygenIds: readonly string[],
  scheme: ShareScheme,
): Promise<{ readonly keys: readonly string[] } | { readonly problem: string }> {
  const { length } = clientParties(scheme);
  if (keygenIds.length !== length) return { problem: `must name ${length} with ${scheme}` };
  const keys = keygenIds.map((id) => Buffer.from(base58.decode(id)));
  const kinds = await Promise.all(keys.map((key) => kemOf(key)));
  const hex = keys.map((key) => key.toString('hex'));
  if (kinds.some((kind) => kind !== 'X25519') || new Set(hex).size !== length)
    return { problem: 'must be base58 of different public keys of X25519' };
  return { keys: hex };
}
