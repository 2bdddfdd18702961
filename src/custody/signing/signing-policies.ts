import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { SigningChain } from '../embedded-chain.js';
import type { KeyActor } from '../ledger/ledger-entry.js';
import type { SigningRequest } from './signing-request.js';

/** What is about to be signed, as parsed from its own bytes. */
export interface SigningQuestion {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly walletId: string;
  readonly chain: SigningChain;
  readonly address: string;
  readonly request: SigningRequest;
  /** The EVM network it is valid on; null if the bytes name none. */
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
 * Charges a signature against its limits, in one transaction with the other charges for it.
 * @throws ApiError 403 or 422 if a limit is exhausted by now
 */
export type SigningCharge = (tx: Transaction) => Promise<void>;

/** One reason to refuse a use of keys. A policy that cannot decide must refuse. */
export abstract class SigningPolicy {
  /**
   * Charges nothing yet.
   * @returns the charge to make once no policy refuses; null if nothing is counted
   * @throws ApiError 403 or 422 if this must not be signed
   */
  abstract authorize(question: SigningQuestion): Promise<SigningCharge | null>;

  /** Only policies that implement this can refuse exports. @throws ApiError 403 or 422 */
  authorizeExport?(question: ExportQuestion): Promise<void>;
}

/** All policies. They register themselves at startup. */
@Injectable()
export class SigningPolicies {
  private readonly policies: SigningPolicy[] = [];

  constructor(private readonly work: UnitOfWork) {}

  register(policy: SigningPolicy): void {
    this.policies.push(policy);
  }

  /**
   * All policies decide before anything is charged, and the charges are atomic: a refused request uses nothing up.
   * Charges run in the order of their policies, always the same, so that two signatures never deadlock.
   *
   * @throws ApiError from the first policy that refuses
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

  /** @throws ApiError from the first policy that refuses */
  async authorizeExport(question: ExportQuestion): Promise<void> {
    for (const policy of this.policies) await policy.authorizeExport?.(question);
  }
}
