import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import type { CreateMfaToken } from '../../flows/step-up/create-mfa-token.dto.js';
import { passkeyActionTokenUnavailable } from './passkey.errors.js';

/** Records the factor and issues its token, at the beginning of the transaction that adds the passkey. */
export type FactorGiving = (tx: Transaction) => Promise<string>;

/** Lets a passkey for sign-in count as a second factor of the session that registers it. */
export interface FactorGiver {
  /** @throws ApiError 422 if it does not count as one here, before anything is changed */
  prepare(environmentId: EnvironmentId, caller: EndUserPrincipal, token: CreateMfaToken): Promise<FactorGiving>;
}

/** The second factors, for which a passkey is registered as well. Their module registers itself. */
@Injectable()
export class RegisteredFactor {
  private giver: FactorGiver | null = null;

  register(giver: FactorGiver): void {
    this.giver = giver;
  }

  /** @throws ApiError 422 of `mfa.errors.ts` */
  prepare(environmentId: EnvironmentId, caller: EndUserPrincipal, token: CreateMfaToken): Promise<FactorGiving> {
    if (!this.giver) throw passkeyActionTokenUnavailable();
    return this.giver.prepare(environmentId, caller, token);
  }
}
