import { Injectable, type OnModuleInit } from '@nestjs/common';
import { base58 } from '@scure/base';
import { notFound } from '../../common/errors/index.js';
import type { Transaction } from '../../database/index.js';
import type { Recipient } from '../../vault/index.js';
import { CustodianRegistry } from '../custodian-registry.js';
import type { Capabilities, Custodian, SealedKey } from '../custodian.js';
import type { HeldAccount } from '../held-account.js';
import { secp256k1Recovers, uncompressPublicKey, type RecoverableSignature } from '../derivation/secp256k1-key.js';
import { evmAddress } from '../derivation/evm-address.js';
import type { KeyActor, KeyUse } from '../ledger/ledger-entry.js';
import { readable } from '../signing/effects/examine.js';
import type { Signable } from '../signing/signable.js';
import { SigningJudge } from '../signing/signing-judge.js';
import type { Signed, SigningRequest } from '../signing/signing-request.js';
import { CeremonyFault } from '../threshold/ceremony-fault.js';
import { publicKeyOf, type PublicShares } from '../threshold/frost.js';
import { KeyShareSetsRepository, type HeldShares, type LiveShares } from '../threshold/key-share-sets.repository.js';
import { rowOf, type ProvedShares } from '../threshold/threshold-keys.js';
import type { Ceremony } from '../threshold/threshold-signer.js';
import type { SplitWallet } from '../threshold/wallet-of-shares.js';
import { SplitSigner, type ReleasedShare } from './split-signer.js';

/** Address and public key of a split key. */
export function splitAccount(shares: PublicShares): { chain: 'EVM'; address: string; publicKey: string } {
  const publicKey = publicKeyOf(shares);
  return { chain: 'EVM', address: evmAddress(uncompressPublicKey(publicKey)), publicKey: publicKey.toString('hex') };
}

/** Keys of version V2: the service's shares leave only once the policies allow what is to be signed. */
@Injectable()
export class SplitKeys implements Custodian, OnModuleInit {
  readonly version = 'V2';
  readonly can: Partial<Capabilities> = { export: { export: (account, to) => this.export(account, to) } };

  constructor(
    readonly signer: SplitSigner,
    private readonly sets: KeyShareSetsRepository,
    private readonly judge: SigningJudge,
    private readonly custodians: CustodianRegistry,
  ) {}

  onModuleInit(): void {
    this.custodians.register(this);
  }

  /** @throws ApiError not_found */
  async get({
    environmentId,
    userId,
    keysId,
  }: Pick<SplitWallet, 'environmentId' | 'userId' | 'keysId'>): Promise<LiveShares> {
    const set = await this.sets.find(environmentId, userId, keysId);
    if (!set) throw notFound();
    return set;
  }

  /**
   * Locks the shares until the end of the transaction: nobody can replace them meanwhile.
   *
   * @throws ApiError not_found
   */
  async hold({ environmentId, userId, keysId }: SplitWallet, tx: Transaction): Promise<HeldShares> {
    const held = await this.sets.hold(environmentId, userId, keysId, tx);
    if (!held) throw notFound();
    return held;
  }

  /** Stores the service's shares of a key that a device has split, in one statement. */
  async store(ceremony: Ceremony, proved: ProvedShares, tx: Transaction): Promise<void> {
    const row = { ...rowOf(ceremony, proved), protocol: 'SHAMIR', dealt: false } as const;
    await this.sets.insert(ceremony.environmentId, row, tx);
  }

  /**
   * @param compare throws if the digest is not the declared one, before anything is charged for it
   * @returns the digest
   * @throws ApiError the refusals of `SigningJudge.admit`
   */
  async admit(
    wallet: SplitWallet,
    request: SigningRequest,
    actor: KeyActor,
    compare: (digest: Buffer) => void,
  ): Promise<Buffer> {
    const { digest } = await this.judge.admit(wallet, {
      ...{ request, actor, compare },
      read: () => readSplit(wallet, request),
      use: (read, verdict) => splitUse(wallet, request.kind, { actor, digest: read, verdict }),
    });
    return digest;
  }

  /**
   * Seals the service's shares to the device, for an admitted request. Cumulative limits were charged at admission, so
   * they are not checked again.
   *
   * @returns null if the shares are of another generation by now
   */
  async release(
    ceremony: Ceremony,
    wallet: SplitWallet,
    { state, generation, request, keygenId }: BegunRelease,
  ): Promise<{ shares: ReleasedShare[]; digest: Buffer } | null> {
    const { digest } = readSplit(wallet, request);
    await this.signer.assertIsFor(ceremony, state, digest);
    const { publicShares, sealedShares, generation: live } = await this.get(wallet);
    if (live !== generation) return null;
    const deviceKey = Uint8Array.from(base58.decode(keygenId));
    const keys = { ...wallet, sealed: sealedShares, generation, shares: publicShares };
    const purpose = { ...ceremony, walletId: wallet.walletId, digest, deviceKey };
    return { shares: await this.signer.release(keys, purpose), digest };
  }

  /**
   * The device's signature, in the chain's encoding.
   *
   * @throws CeremonyFault unless the key signed exactly this digest
   */
  async complete(
    wallet: SplitWallet,
    request: SigningRequest,
    signature: RecoverableSignature,
  ): Promise<{ signed: Signed; digest: Buffer }> {
    const { digest, written } = readSplit(wallet, request);
    const { publicShares } = await this.get(wallet);
    if (!secp256k1Recovers(digest, publicKeyOf(publicShares), signature))
      throw new CeremonyFault('the signature is not one of this key and digest', 1);
    return { signed: written(signature), digest };
  }

  private async export(account: HeldAccount, recipient: Recipient): Promise<SealedKey> {
    const { environmentId, userId, keysId, address } = account;
    const { sealedShares: sealed, generation } = await this.get(account);
    const message = await this.signer.export({ environmentId, userId, keysId, sealed, generation }, recipient, address);
    return {
      ...message,
      // Combined with the device's newer shares, outdated ones yield no key.
      isCurrent: async (tx) => (await this.sets.hold(environmentId, userId, keysId, tx))?.generation === generation,
    };
  }
}

/** An admitted signature, and the device that asks for the shares. */
export interface BegunRelease {
  readonly state: Buffer;
  readonly generation: number;
  readonly request: SigningRequest;
  /** Base58 of the device's one-time key. */
  readonly keygenId: string;
}

/** A parsed request that needs only an ECDSA signature. */
type SplitSignable = Pick<Signable, 'digest' | 'networkId'> & Required<Pick<Signable, 'written'>>;

function readSplit(wallet: SplitWallet, request: SigningRequest): SplitSignable {
  const { digest, networkId, written } = readable(wallet, request);
  if (!written) throw new Error(`Nothing of ${wallet.chain} is signed by ECDSA.`);
  return { digest, networkId, written };
}

/** The ledger's record of a release, of a signature, or of a refusal. */
export function splitUse(
  { userId, keysId, walletId, chain, address }: Omit<SplitWallet, 'environmentId'>,
  kind: string,
  { actor, digest, verdict }: { actor: KeyActor; digest: Buffer | null; verdict: string },
): KeyUse {
  const subject = { walletId, chain, address, protocol: 'SHAMIR' };
  return { operation: 'sign', actor, userId, keysId, subject, reason: kind, digest, verdict };
}
