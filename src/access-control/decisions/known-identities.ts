import { base58 } from '@scure/base';
import { getAddress, isAddress } from 'viem';
import {
  chainOf,
  isEmbedded,
  normaliseEmail,
  normalisePhone,
  type FullUser,
  type VerifiedCredential,
} from '../../identity/index.js';
import { isEvm, isSolana } from '../gates/gate-rules.js';
import type { HeldWallet } from '../gates/rule-finding.js';
import { domainKey, entryKey, walletKeys } from '../allowlists/entry-keys.js';

/**
 * Verified by a code, a signature or an external account; embedded wallets count too. Credentials only asserted through
 * the API grant no access.
 */
const isProven = (credential: VerifiedCredential): boolean =>
  credential.verifiedAt !== undefined || isEmbedded(credential);

/** The verified wallets of a user that gates can check, without duplicates. */
export function walletsOf({ verifiedCredentials }: Pick<FullUser, 'verifiedCredentials'>): HeldWallet[] {
  const wallets = new Map<string, HeldWallet>();
  for (const credential of verifiedCredentials) {
    const { format, address, chain, contract_network: networkId } = credential;
    if (format !== 'blockchain' || !address || !chain || !isProven(credential)) continue;
    const wallet = walletOn(chain, address);
    const known = networkId === undefined ? wallet : wallet && { ...wallet, networkId };
    if (known) wallets.set(`${known.chain} ${known.address}`, known);
  }
  return [...wallets.values()];
}

/** The wallets that an address can stand for. */
export const walletsAt = (address: string): HeldWallet[] =>
  ['EVM', 'SOL', 'ECLIPSE'].flatMap((chain) => walletOn(chain, address) ?? []);

function walletOn(namespace: string, address: string): HeldWallet | null {
  const chain = chainOf(namespace);
  if (chain === null) return null;
  if (isEvm(chain)) {
    return isAddress(address, { strict: false }) ? { chain: 'EVM', address: getAddress(address) } : null;
  }
  return isSolana(chain) && isSolanaAddress(address) ? { chain, address } : null;
}

function isSolanaAddress(text: string): boolean {
  try {
    return base58.decode(text).length === 32;
  } catch {
    return false;
  }
}

/** All normalised keys by which an allowlist may match a user. Excludes the alias, which users choose themselves. */
export function entryKeysOf({ verifiedCredentials, externalUserId }: FullUser): string[] {
  const keys = new Set<string>();
  if (externalUserId) keys.add(entryKey('externalUserId', externalUserId));
  for (const credential of verifiedCredentials) {
    if (isProven(credential)) for (const key of keysOf(credential)) keys.add(key);
  }
  return [...keys];
}

function keysOf(credential: VerifiedCredential): string[] {
  const { format, address, email, public_identifier, oauth_provider, oauth_account_id, oauth_username } = credential;
  switch (format) {
    case 'blockchain':
      return address ? walletKeys(address) : [];
    case 'email': {
      const normal = normaliseEmail(email ?? '')?.normal;
      return normal ? [entryKey('email', normal), domainKey(normal)] : [];
    }
    case 'phoneNumber': {
      const e164 = normalisePhone(public_identifier ?? '')?.e164;
      return e164 ? [entryKey('phoneNumber', e164)] : [];
    }
    case 'externalUser':
      return public_identifier ? [entryKey('externalUserId', public_identifier)] : [];
    case 'oauth': {
      const named = oauth_username ? SOCIAL_NAMES[oauth_provider ?? ''] : undefined;
      return [
        ...(oauth_provider === 'farcaster' && oauth_account_id ? [entryKey('frameappFid', oauth_account_id)] : []),
        ...(named && oauth_username ? [entryKey(named, oauth_username)] : []),
      ];
    }
    default:
      return [];
  }
}

const SOCIAL_NAMES: Readonly<Record<string, 'discordUsername' | 'twitterUsername' | 'frameappUsername'>> = {
  discord: 'discordUsername',
  twitter: 'twitterUsername',
  farcaster: 'frameappUsername',
};
