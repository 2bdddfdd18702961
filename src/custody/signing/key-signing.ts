import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { notFound, tooManyRequests } from '../../common/errors/index.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { CustodianRegistry, type VersionedWallet } from '../custodian-registry.js';
import type { HeldAccount } from '../held-account.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import { verdictOn, type KeyActor, type KeyUse } from '../ledger/ledger-entry.js';
import { readable } from './effects/examine.js';
import type { Signable } from './signable.js';
import { SignaturesWritten } from './signatures-written.js';
import { SigningPolicies } from './signing-policies.js';
import type { Signed, SigningRequest } from './signing-request.js';

/** Per user, across all of their wallets. */
export const SIGNATURES = { name: 'wallet-signatures', limit: 30, windowSeconds: 60 } as const;

const ALLOWED = 'allowed';

export interface SigningWallet extends HeldAccount, VersionedWallet {
  readonly walletId: string;
}

/** Who asks, and a check that the wallet still exists once the signature is made. */
export interface SigningTerms {
  readonly actor: KeyActor;
  /**
   * Checks that belong in the transaction that records the signature. Without any, concurrent signatures share one.
   *
   * @param digest of what was signed or sealed
   */
  readonly stillThere?: (tx: Transaction, digest: Buffer) => Promise<boolean>;
}

/**
 * The only way to a signature: rate-limited, parsed, authorised, made, recorded in the ledger, and only then returned.
 * Refusals are recorded as well.
 */
@Injectable()
export class KeySigning {
  constructor(
    private readonly custodians: CustodianRegistry,
    private readonly policies: SigningPolicies,
    private readonly ledger: KeyLedger,
    private readonly limiter: RateLimiter,
    private readonly work: UnitOfWork,
    private readonly written: SignaturesWritten,
  ) {}

  /**
   * @throws ApiError too_many_requests, not_supported_by_custodian, unsignable_request, the refusal of a policy,
   *   not_found if the wallet was removed meanwhile: the signature is not returned then
   */
  async sign(
    wallet: SigningWallet,
    request: SigningRequest,
    terms: SigningTerms,
  ): Promise<Signed & { digest: string }> {
    await this.assertWithin(wallet);
    const custodian = this.custodians.getFor(wallet, 'sign');
    const use = (digest: Buffer | null, verdict: string): KeyUse =>
      useOf(wallet, request, terms.actor, digest, verdict);
    let signable: Signable | null = null;
    let isAsked = false;
    try {
      signable = readable(wallet, request);
      const { environmentId, userId, walletId, chain, address } = wallet;
      const { networkId } = signable;
      const about = { environmentId, userId, walletId, chain, address, request, networkId };
      await this.policies.authorize({ ...about, actor: terms.actor });
      isAsked = true;
      const signed = await custodian.sign(wallet, request);
      assertSigned(signed, wallet);
      isAsked = false;
      const { digest } = signable;
      await this.write(wallet, use(digest, ALLOWED), digest, terms);
      return { ...signed, digest: digest.toString('hex') };
    } catch (error) {
      const verdict = verdictOn(error, isAsked);
      if (verdict !== null) await this.ledger.recordAlone(wallet.environmentId, use(signable?.digest ?? null, verdict));
      throw error;
    }
  }

  private async write(wallet: SigningWallet, use: KeyUse, digest: Buffer, { stillThere }: SigningTerms): Promise<void> {
    const { environmentId } = wallet;
    const isThere = stillThere
      ? await this.work.run(async (tx) => {
          const held = await stillThere(tx, digest);
          if (held) this.ledger.record(environmentId, use, tx);
          return held;
        })
      : await this.written.write(environmentId, wallet, use);
    if (!isThere) throw notFound();
  }

  private async assertWithin({ environmentId, userId }: SigningWallet): Promise<void> {
    const retryAfterSeconds = await this.limiter.take(SIGNATURES, `${environmentId}:${userId}`);
    const { limit: most, windowSeconds } = SIGNATURES;
    if (retryAfterSeconds !== null) throw tooManyRequests({ retryAfterSeconds, limit: { most, windowSeconds } });
  }
}

/** What a vendor answers reaches its custodian unchecked. @throws Error unless there is something to hand out */
function assertSigned(answer: unknown, { version }: SigningWallet): void {
  const { signature, signedTransaction } = (answer ?? {}) as Record<string, unknown>;
  if (typeof signature !== 'string' && typeof signedTransaction !== 'string')
    throw new Error(`The custodian of ${version} answers no signature.`);
}

function useOf(
  { userId, keysId, walletId, chain, address }: SigningWallet,
  { kind }: SigningRequest,
  actor: KeyActor,
  digest: Buffer | null,
  verdict: string,
): KeyUse {
  return {
    operation: 'sign',
    actor,
    userId,
    keysId,
    subject: { walletId, chain, address },
    reason: kind,
    digest,
    verdict,
  };
}
