import { solanaAddress } from '../derivation/solana-address.js';
import { suiAddress } from '../derivation/sui-address.js';
import { taprootAddress } from '../derivation/taproot-address.js';
import { tonAddress } from '../ton/wallet-v5.js';
import { publicKeyOf, type PublicShares } from './frost.js';
import type { Curve } from './suites.js';

/** Chains that FROST signs for. */
export const THRESHOLD_CHAINS = ['SOL', 'SUI', 'BTC', 'TON'] as const;

export type ThresholdChain = (typeof THRESHOLD_CHAINS)[number];

/** Bitcoin keys are Taproot keys. */
export const thresholdCurve = (chain: ThresholdChain): Curve => (chain === 'BTC' ? 'secp256k1' : 'ed25519');

const ADDRESSES: Record<ThresholdChain, (publicKey: Buffer) => string> = {
  SOL: solanaAddress,
  SUI: suiAddress,
  BTC: taprootAddress,
  TON: tonAddress,
};

/** Public key and address of a key on a chain. */
export function thresholdAccount(chain: ThresholdChain, shares: PublicShares): { address: string; publicKey: string } {
  const publicKey = publicKeyOf(shares);
  return { address: ADDRESSES[chain](publicKey), publicKey: publicKey.toString('hex') };
}
