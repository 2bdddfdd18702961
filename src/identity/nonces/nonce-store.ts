import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { newNonce, nonceHash } from './nonce-value.js';
import { NoncesRepository } from './nonces.repository.js';

const TTL_SECONDS = 300;
/** Longer texts cannot be our nonces and are not hashed. */
const MAX_LENGTH = 64;

/** Nonces for messages to be signed: single-use, valid for five minutes, in their environment. */
@Injectable()
export class NonceStore {
  constructor(private readonly nonces: NoncesRepository) {}

  async issue(environmentId: EnvironmentId): Promise<string> {
    const [nonce] = await this.issueMany(environmentId, 1);
    return nonce!;
  }

  async issueMany(environmentId: EnvironmentId, count: number): Promise<string[]> {
    const issued = Array.from({ length: count }, newNonce);
    await this.nonces.store(environmentId, issued.map(nonceHash), TTL_SECONDS);
    return issued;
  }

  /** True once for each live nonce; the nonce is consumed whatever the answer. */
  async consume(environmentId: EnvironmentId, nonce: string, on?: Executor): Promise<boolean> {
    if (nonce.length > MAX_LENGTH) return false;
    return this.nonces.take(environmentId, nonceHash(nonce), on);
  }

  /** Whether a nonce is live, without consuming it. */
  async isLive(environmentId: EnvironmentId, nonce: string, on: Executor): Promise<boolean> {
    return nonce.length <= MAX_LENGTH && this.nonces.isLive(environmentId, nonceHash(nonce), on);
  }
}
