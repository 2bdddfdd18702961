import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { ApiError, tooManyRequests } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { SigningChain } from '../embedded-chain.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import type { KeyActor, KeyUse } from '../ledger/ledger-entry.js';
import { SIGNATURES } from './key-signing.js';
import type { SigningRequest } from './signing-request.js';
import { SigningPolicies } from './signing-policies.js';

interface JudgedWallet {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly walletId: string;
  readonly chain: SigningChain;
  readonly address: string;
}

/** What of a request that was read the judgement is about. */
interface ReadRequest {
  readonly digest: Buffer;
  /** The EVM network that it is good on; null where the bytes name none. */
  readonly networkId: number | null;
}

/** How a request is read, and how its refusal is written down. */
export interface SigningCase<Read extends ReadRequest> {
  readonly request: SigningRequest;
  readonly actor: KeyActor;
  /** @throws ApiError unsignable_request */
  read(): Read;
  /** Throws before anything is charged for what was read. */
  compare?(digest: Buffer): void;
  /** @param digest null where nothing could be read */
  use(digest: Buffer | null, verdict: string): KeyUse;
}

/** Decides whether a ceremony may begin that ends in a signature, whichever protocol the shares of the key have. */
@Injectable()
export class SigningJudge {
  constructor(
    private readonly policies: SigningPolicies,
    private readonly ledger: KeyLedger,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Counts, reads and judges what is to be signed, before any nonce exists and any share leaves. A refusal is written into
   * the ledger.
   *
   * @throws ApiError too_many_requests, unsignable_request, the refusal of a policy, what `compare` throws
   */
  async admit<Read extends ReadRequest>(
    wallet: JudgedWallet,
    { request, actor, ...about }: SigningCase<Read>,
  ): Promise<Read> {
    const { environmentId, userId, walletId, chain, address } = wallet;
    const retryAfterSeconds = await this.limiter.take(SIGNATURES, `${environmentId}:${userId}`);
    const { limit: most, windowSeconds } = SIGNATURES;
    if (retryAfterSeconds !== null) throw tooManyRequests({ retryAfterSeconds, limit: { most, windowSeconds } });
    let digest: Buffer | null = null;
    try {
      const read = about.read();
      ({ digest } = read);
      about.compare?.(digest);
      const { networkId } = read;
      await this.policies.authorize({ environmentId, userId, walletId, chain, address, request, networkId, actor });
      return read;
    } catch (error) {
      if (error instanceof ApiError) await this.ledger.recordAlone(environmentId, about.use(digest, error.code));
      throw error;
    }
  }
}
