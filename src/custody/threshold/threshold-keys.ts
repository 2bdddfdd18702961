import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import type { Transaction } from '../../database/index.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import type { KeyActor, KeyUse } from '../ledger/ledger-entry.js';
import { readable } from '../signing/effects/examine.js';
import { SigningJudge } from '../signing/signing-judge.js';
import type { SchnorrSignable } from '../signing/signable.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import { publicKeyOf, type PublicShares } from './frost.js';
import {
  KeyShareSetsRepository,
  type HeldShares,
  type LiveShares,
  type NewShares,
} from './key-share-sets.repository.js';
import type { ShareScheme } from './schemes.js';
import { thresholdAccount, type ThresholdChain } from './threshold-chains.js';
import { protocolOf, type SharedWallet, type WalletOfShares } from './wallet-of-shares.js';
import { ThresholdSigner, type Ceremony } from './threshold-signer.js';
import type { SigningShares } from './wire.js';
import type { NewlySealed } from '../signer/wallet-signer.js';
import type { SecretBytes } from '../../vault/index.js';
import { keySharesDealt } from '../custody.errors.js';

/** Rate limit on resharing, per user, across all of their keys. */
export const RESHARES = { name: 'key-reshares', limit: 3, windowSeconds: 3_600 } as const;

/** The user whose keys they are. */
type OwnedKeys = Pick<SharedWallet, 'environmentId' | 'userId' | 'keysId'>;

/** The service's shares of a key, once both sides have proved theirs. */
export interface ProvedShares {
  readonly keysId: string;
  readonly scheme: ShareScheme;
  readonly shares: PublicShares;
  readonly kept: NewlySealed;
}

/** A dealt key, with the user's shares under their lock. */
export interface DealtShares extends ProvedShares {
  readonly copy: string;
  readonly account: { readonly chain: ThresholdChain; readonly address: string; readonly publicKey: string };
}

/** A signature for which the service has committed to its nonces, and what the user sent. */
export interface BegunSignature {
  readonly state: Buffer;
  /** Generation of the shares it was begun with. */
  readonly generation: number;
  readonly request: SigningRequest;
  readonly sent: SigningShares;
}

/** A request that was parsed and allowed, and can be signed. */
export interface AdmittedRequest {
  readonly digest: Buffer;
  /** Only EVM networks have numbers, and these wallets are on other chains. */
  readonly networkId: null;
  readonly schnorr: SchnorrSignable;
}

/** Keys of which the service holds too few shares to sign alone. */
@Injectable()
export class ThresholdKeys {
  constructor(
    readonly signer: ThresholdSigner,
    private readonly sets: KeyShareSetsRepository,
    private readonly judge: SigningJudge,
    private readonly ledger: KeyLedger,
    private readonly limiter: RateLimiter,
  ) {}

  /** Stores the service's shares of a key that both sides have proved, in one statement. */
  async store(ceremony: Ceremony, proved: ProvedShares, tx: Transaction): Promise<void> {
    await this.sets.insert(ceremony.environmentId, { ...rowOf(ceremony, proved), protocol: 'FROST', dealt: false }, tx);
  }

  /**
   * Creates a key for a user who is not present to take part. Slow, runs before the transaction; writes nothing.
   *
   * @param lock the secret that opens the user's shares
   */
  async deal(
    { environmentId, userId, walletId, keysId }: Omit<SharedWallet, 'address' | 'chain'>,
    { chain, scheme }: { chain: ThresholdChain; scheme: ShareScheme },
    lock: SecretBytes,
  ): Promise<DealtShares> {
    const about = { chain, scheme, walletId, lock: lock.expose() };
    const { kept, public: shares, copy } = await this.signer.deal({ environmentId, userId, keysId }, about);
    return { keysId, scheme, shares, kept, copy, account: { chain, ...thresholdAccount(chain, shares) } };
  }

  /** Stores the service's shares of a dealt key, in one statement. They are not used for signing. */
  async storeDealt(
    { environmentId, userId }: Pick<SharedWallet, 'environmentId' | 'userId'>,
    dealt: DealtShares,
    tx: Transaction,
  ): Promise<void> {
    await this.sets.insert(environmentId, { ...rowOf({ userId }, dealt), protocol: 'FROST', dealt: true }, tx);
  }

  /**
   * Replaces, and so destroys, the shares of one generation with those that both sides have proved. False unless that
   * generation is still the live one.
   */
  async replace(
    ceremony: Ceremony,
    wallet: WalletOfShares,
    { generation, ...proved }: Omit<ProvedShares, 'keysId'> & { readonly generation: number },
    { actor, operation }: { actor: KeyActor; operation: 'refresh' | 'reshare' },
    tx: Transaction,
  ): Promise<boolean> {
    const { environmentId, userId, roomId } = ceremony;
    const { keysId, walletId, chain, address } = wallet;
    if (!(await this.sets.replace(environmentId, generation, rowOf(ceremony, { ...proved, keysId }), tx))) return false;
    const { scheme, shares } = proved;
    const subject = { walletId, chain, address, protocol: protocolOf(wallet), scheme, generation: generation + 1 };
    const digest = createHash('sha256').update(shares.verifyingShares.join('')).digest();
    const about = { actor, userId, keysId, subject, reason: `${operation} ${roomId}`, digest };
    this.ledger.record(environmentId, { operation, ...about, verdict: 'allowed' }, tx);
    return true;
  }

  /** For beginning a signature. @throws ApiError not_found, key_shares_dealt */
  async getToSign(wallet: SharedWallet): Promise<LiveShares> {
    const set = await this.get(wallet);
    if (set.dealt) throw keySharesDealt();
    return set;
  }

  /** Applies the rate limit on resharing. @throws ApiError too_many_requests, and what `begin` throws */
  reshare<T>({ environmentId, userId }: WalletOfShares, begin: () => Promise<T>): Promise<T> {
    return this.limiter.within(RESHARES, `${environmentId}:${userId}`, begin);
  }

  /** @throws ApiError not_found */
  async get({ environmentId, userId, keysId }: OwnedKeys): Promise<LiveShares> {
    const set = await this.sets.find(environmentId, userId, keysId);
    if (!set) throw notFound();
    return set;
  }

  /**
   * Locks the shares until the end of the transaction; others that lock them wait.
   *
   * @throws ApiError not_found
   */
  async hold({ environmentId, userId, keysId }: OwnedKeys, tx: Transaction): Promise<HeldShares> {
    const held = await this.sets.hold(environmentId, userId, keysId, tx);
    if (!held) throw notFound();
    return held;
  }

  /** @throws ApiError the refusals of `SigningJudge.admit` */
  admit(
    wallet: SharedWallet,
    shares: PublicShares,
    request: SigningRequest,
    actor: KeyActor,
  ): Promise<AdmittedRequest> {
    return this.judge.admit(wallet, {
      ...{ request, actor },
      read: () => this.read(wallet, shares, request),
      use: (digest, verdict) => signingUse(wallet, request, { actor, digest, verdict }),
    });
  }

  /**
   * Completes the signature of an admitted request; null if the shares are of another generation by now.
   *
   * @throws CeremonyFault, ApiError key_shares_dealt
   */
  async sign(
    ceremony: Ceremony,
    wallet: SharedWallet,
    { state, generation, request, sent }: BegunSignature,
  ): Promise<{ shares: { id: number; share: string }[]; signed: Signed; digest: Buffer } | null> {
    const { publicShares, sealedShares, generation: live } = await this.getToSign(wallet);
    if (live !== generation) return null;
    const { digest, schnorr } = this.read(wallet, publicShares, request);
    const keys = { ...wallet, shares: publicShares, sealed: sealedShares, generation };
    const { shares, signature } = await this.signer.sign(ceremony, state, keys, { message: schnorr.message, sent });
    return { shares, signed: schnorr.written(signature, publicKeyOf(publicShares)), digest };
  }

  private read(wallet: SharedWallet, shares: PublicShares, request: SigningRequest): AdmittedRequest {
    const { digest, schnorr } = readable({ ...wallet, publicKey: publicKeyOf(shares) }, request);
    if (!schnorr) throw new Error(`Nothing of ${wallet.chain} is signed by shared keys.`);
    return { digest, schnorr, networkId: null };
  }
}

/** The row of such shares, as stored. */
export const rowOf = (
  { userId }: Pick<Ceremony, 'userId'>,
  { keysId, scheme, shares, kept }: ProvedShares,
): NewShares => ({
  ...{ id: keysId, userId, scheme, publicShares: shares },
  ...{ sealedShares: kept.sealed, masterKeyId: kept.masterKeyId },
});

/** The ledger's record of a signature, or of its refusal. */
export function signingUse(
  { userId, keysId, walletId, chain, address }: SharedWallet,
  { kind }: SigningRequest,
  { actor, digest, verdict }: { actor: KeyActor; digest: Buffer | null; verdict: string },
): KeyUse {
  const subject = { walletId, chain, address, protocol: 'FROST' };
  return { operation: 'sign', actor, userId, keysId, subject, reason: kind, digest, verdict };
}
