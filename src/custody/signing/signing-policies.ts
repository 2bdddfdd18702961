import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { SigningChain } from '../embedded-chain.js';
import type { KeyActor } from '../ledger/ledger-entry.js';
import type { SigningRequest } from './signing-request.js';

/** What is about to be signed, as it was read from its own bytes. */
export interface SigningQuestion {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly walletId: string;
  readonly chain: SigningChain;
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
  readonly chain: SigningChain;
}

/**
 * Takes what a signature uses up, in one transaction with what others take for it.
 * @throws ApiError 403 or 422 when there is no room for it any more
 */
export type SigningCharge = (tx: Transaction) => Promise<void>;

/** One reason to refuse what is to be done with keys. What cannot get its answer refuses. */
export abstract class SigningPolicy {
  /**
   * Takes nothing yet.
   * @returns what is to be taken once no policy refuses; null where nothing is counted
   * @throws ApiError 403 or 422 when this is not to be signed
   */
  abstract authorize(question: SigningQuestion): Promise<SigningCharge | null>;

  /** Exports are refused by those policies alone that know of them. @throws ApiError 403 or 422 */
  authorizeExport?(question: ExportQuestion): Promise<void>;
}

/** All reasons to refuse. They register themselves at start. */
@Injectable()
export class SigningPolicies {
  private readonly policies: SigningPolicy[] = [];

  constructor(private readonly work: UnitOfWork) {}

  register(policy: SigningPolicy): void {
    this.policies.push(policy);
  }

  /**
   * All are asked before anything is taken, and all of it is taken or none: what is refused uses nothing up. Charges
   * follow in the order of their policies, which is the same for all, so that two signatures never wait for each other.
   *
   * @throws ApiError of the first that refuses
   */
  async authorize(question: SigningQuestion): Promise<void> {
    const charges: SigningCharge[] = [];
    for (const policy of this.policies) {
      const charge = await policy.authorize(question);
      if (charge) charges.push(charge);
    }
    if (charges.length === 0) return;
    await this.work.run(async (tx) => {
      for (const charge of charges) await charge(tx);
    });
  }

  /** @throws ApiError of the first that refuses */
  async authorizeExport(question: ExportQuestion): Promise<void> {
    for (const policy of this.policies) await policy.authorizeExport?.(question);
  }
}
