import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import type { KeyActor } from '../ledger/ledger-entry.js';
import type { SigningRequest } from './signing-request.js';

/** What is about to be signed, as it was read from its own bytes. */
export interface SigningQuestion {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly walletId: string;
  readonly chain: EmbeddedChain;
  readonly address: string;
  readonly request: SigningRequest;
  /** The EVM network that it is good on; null where the bytes name none. */
  readonly networkId: number | null;
  /** Who asks for the signature. */
  readonly actor: KeyActor;
}

/** A key that is about to leave the service. */
export interface ExportQuestion {
  readonly environmentId: EnvironmentId;
  readonly chain: EmbeddedChain;
}

/** One reason to refuse what is to be done with keys. What cannot get its answer refuses. */
export abstract class SigningPolicy {
  /** @throws ApiError 403 or 422 when this is not to be signed */
  abstract authorize(question: SigningQuestion): Promise<void>;

  /** Exports are refused by those policies alone that know of them. @throws ApiError 403 or 422 */
  authorizeExport?(question: ExportQuestion): Promise<void>;
}

/** All reasons to refuse. They register themselves at start. */
@Injectable()
export class SigningPolicies {
  private readonly policies: SigningPolicy[] = [];

  register(policy: SigningPolicy): void {
    this.policies.push(policy);
  }

  /** @throws ApiError of the first that refuses */
  async authorize(question: SigningQuestion): Promise<void> {
    for (const policy of this.policies) await policy.authorize(question);
  }

  /** @throws ApiError of the first that refuses */
  async authorizeExport(question: ExportQuestion): Promise<void> {
    for (const policy of this.policies) await policy.authorizeExport?.(question);
  }
}
