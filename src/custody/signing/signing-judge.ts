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

/** The parts of a parsed request that the decision depends on. */
interface ReadRequest {
  readonly digest: Buffer;
  /** The EVM network it is valid on; null if the bytes name none. */
  readonly networkId: number | null;
}

/** How to parse a request, and how to record its refusal. */
export interface SigningCase<Read extends ReadRequest> {
  readonly request: SigningRequest;
  readonly actor: KeyActor;
  /** @throws ApiError unsignable_request */
  read(): Read;
  /** Throws before anything is charged for the request. */
  compare?(digest: Buffer): void;
  /** @param digest null if the request could not be parsed */
  use(digest: Buffer | null, verdict: string): KeyUse;
}

/** Decides whether a signing ceremony may begin, whichever protocol the key's shares use. */
@Injectable()
export class SigningJudge {
  constructor(
    private readonly policies: SigningPolicies,
    private readonly ledger: KeyLedger,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Rate-limits, parses and authorises what is to be signed, before any nonce exists or any share leaves. Refusals are
   * recorded in the ledger.
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
