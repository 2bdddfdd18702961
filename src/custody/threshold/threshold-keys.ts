import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { ApiError, notFound, tooManyRequests } from '../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import type { KeyActor, KeyUse } from '../ledger/ledger-entry.js';
import { readable } from '../signing/effects/examine.js';
import { SIGNATURES } from '../signing/key-signing.js';
import { SigningPolicies } from '../signing/signing-policies.js';
import type { EddsaSignable } from '../signing/signable.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import { solanaAddress } from '../derivation/solana-address.js';
import { suiAddress } from '../derivation/sui-address.js';
import { publicKeyOf, type PublicShares } from './frost.js';
import {
  KeyShareSetsRepository,
  type HeldShares,
  type LiveShares,
  type NewShares,
} from './key-share-sets.repository.js';
import type { ShareScheme } from './schemes.js';
import { ThresholdSigner, type Ceremony } from './threshold-signer.js';
import type { SigningShares } from './wire.js';
import type { NewlySealed } from '../signer/wallet-signer.js';

/** Chains whose signatures FROST makes. */
export const THRESHOLD_CHAINS = ['SOL', 'SUI'] as const;

export type ThresholdChain = (typeof THRESHOLD_CHAINS)[number];

/** Shares of a user's keys that are made anew, of all keys together. */
export const RESHARES = { name: 'key-reshares', limit: 3, windowSeconds: 3_600 } as const;

/** A wallet whose key is shared with its user. */
export interface SharedWallet {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly walletId: string;
  readonly keysId: string;
  readonly chain: ThresholdChain;
  readonly address: string;
}

/** The service's shares of a key that both sides have proved. */
export interface ProvedShares {
  readonly keysId: string;
  readonly scheme: ShareScheme;
  readonly shares: PublicShares;
  readonly kept: NewlySealed;
}

/** A signature of which the service has committed to its nonces, and what the user sent. */
export interface BegunSignature {
  readonly state: Buffer;
  /** Of the shares that it was begun with. */
  readonly generation: number;
  readonly request: SigningRequest;
  readonly sent: SigningShares;
}

/** A request that was read, allowed, and can be signed. */
export interface AdmittedRequest {
  readonly digest: Buffer;
  readonly eddsa: EddsaSignable;
}

/** Public key and address of a key on a chain. */
export function thresholdAccount(chain: ThresholdChain, shares: PublicShares): { address: string; publicKey: string } {
  const publicKey = publicKeyOf(shares);
  return {
    address: chain === 'SOL' ? solanaAddress(publicKey) : suiAddress(publicKey),
    publicKey: publicKey.toString('hex'),
  };
}

/** Keys of which the service has too few shares to sign alone. */
@Injectable()
export class ThresholdKeys {
  constructor(
    readonly signer: ThresholdSigner,
    private readonly sets: KeyShareSetsRepository,
    private readonly policies: SigningPolicies,
    private readonly ledger: KeyLedger,
    private readonly limiter: RateLimiter,
  ) {}

  /** Stores the service's shares of a key that both sides have proved, by one statement. */
  async store(ceremony: Ceremony, proved: ProvedShares, tx: Transaction): Promise<void> {
    await this.sets.insert(ceremony.environmentId, rowOf(ceremony, proved), tx);
  }

  /**
   * Puts the shares that both sides have proved in the place of those of a generation, which are destroyed by it. False
   * unless that generation is still the live one.
   */
  async replace(
    ceremony: Ceremony,
    wallet: SharedWallet,
    { generation, ...proved }: Omit<ProvedShares, 'keysId'> & { readonly generation: number },
    { actor, operation }: { actor: KeyActor; operation: 'refresh' | 'reshare' },
    tx: Transaction,
  ): Promise<boolean> {
    const { environmentId, userId, roomId } = ceremony;
    const { keysId, walletId, chain, address } = wallet;
    if (!(await this.sets.replace(environmentId, generation, rowOf(ceremony, { ...proved, keysId }), tx))) return false;
    const { scheme, shares } = proved;
    const subject = { walletId, chain, address, protocol: 'FROST', scheme, generation: generation + 1 };
    const digest = createHash('sha256').update(shares.verifyingShares.join('')).digest();
    const about = { actor, userId, keysId, subject, reason: `${operation} ${roomId}`, digest };
    this.ledger.record(environmentId, { operation, ...about, verdict: 'allowed' }, tx);
    return true;
  }

  /** Counts a ceremony that makes shares anew. @throws ApiError too_many_requests */
  async assertMayReshare({ environmentId, userId }: SharedWallet): Promise<void> {
    await this.count(RESHARES, `${environmentId}:${userId}`);
  }

  /** @throws ApiError not_found */
  async get({ environmentId, userId, keysId }: SharedWallet): Promise<LiveShares> {
    const set = await this.sets.find(environmentId, userId, keysId);
    if (!set) throw notFound();
    return set;
  }

  /**
   * Keeps the shares as they are until the end of the transaction, and whoever else holds them out.
   *
   * @throws ApiError not_found
   */
  async hold({ environmentId, userId, keysId }: SharedWallet, tx: Transaction): Promise<HeldShares> {
    const held = await this.sets.hold(environmentId, userId, keysId, tx);
    if (!held) throw notFound();
    return held;
  }

  /**
   * Counts, reads and judges what is to be signed, before any nonce exists. A refusal is written into the ledger.
   *
   * @throws ApiError too_many_requests, unsignable_request, the refusal of a policy
   */
  async admit(wallet: SharedWallet, request: SigningRequest, actor: KeyActor): Promise<AdmittedRequest> {
    const { environmentId, userId, walletId, chain, address } = wallet;
    await this.count(SIGNATURES, `${environmentId}:${userId}`);
    let digest: Buffer | null = null;
    try {
      const read = this.read(wallet, request);
      ({ digest } = read);
      await this.policies.authorize({
        ...{ environmentId, userId, walletId, chain, address, request, networkId: null },
        actor,
      });
      return read;
    } catch (error) {
      if (error instanceof ApiError) {
        await this.ledger.recordAlone(
          environmentId,
          signingUse(wallet, request, { actor, digest, verdict: error.code }),
        );
      }
      throw error;
    }
  }

  /** Completes the signature of an admitted request; null when the shares are of another generation by now. @throws CeremonyFault */
  async sign(
    ceremony: Ceremony,
    wallet: SharedWallet,
    { state, generation, request, sent }: BegunSignature,
  ): Promise<{ shares: { id: number; share: string }[]; signed: Signed; digest: Buffer } | null> {
    const { digest, eddsa } = this.read(wallet, request);
    const { publicShares, sealedShares, generation: live } = await this.get(wallet);
    if (live !== generation) return null;
    const keys = { ...wallet, shares: publicShares, sealed: sealedShares };
    const { shares, signature } = await this.signer.sign(ceremony, state, keys, { message: eddsa.message, sent });
    return { shares, signed: eddsa.written(signature, publicKeyOf(publicShares)), digest };
  }

  private async count(rule: typeof RESHARES | typeof SIGNATURES, key: string): Promise<void> {
    const retryAfterSeconds = await this.limiter.take(rule, key);
    const { limit: most, windowSeconds } = rule;
    if (retryAfterSeconds !== null) throw tooManyRequests({ retryAfterSeconds, limit: { most, windowSeconds } });
  }

  private read(wallet: SharedWallet, request: SigningRequest): AdmittedRequest {
    const { digest, eddsa } = readable(wallet, request);
    if (!eddsa) throw new Error(`Nothing of ${wallet.chain} is signed by Ed25519.`);
    return { digest, eddsa };
  }
}

const rowOf = ({ userId }: Ceremony, { keysId, scheme, shares, kept }: ProvedShares): NewShares => ({
  ...{ id: keysId, userId, scheme, publicShares: shares },
  ...{ sealedShares: kept.sealed, masterKeyId: kept.masterKeyId },
});

/** What the ledger keeps of a signature, or of its refusal. */
export function signingUse(
  { userId, keysId, walletId, chain, address }: SharedWallet,
  { kind }: SigningRequest,
  { actor, digest, verdict }: { actor: KeyActor; digest: Buffer | null; verdict: string },
): KeyUse {
  const subject = { walletId, chain, address, protocol: 'FROST' };
  return { operation: 'sign', actor, userId, keysId, subject, reason: kind, digest, verdict };
}
