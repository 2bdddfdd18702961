import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../../../database/index.js';
import { ProviderTokenStore } from '../../../flows/proofs/proof.js';
import { OauthTokensRepository } from './oauth-tokens.repository.js';
import type { SealedTokens } from './sealed-tokens.js';

type Sealed = Awaited<ReturnType<SealedTokens['seal']>>;

/** Stores provider tokens with their account. */
@Injectable()
export class OauthTokenStore extends ProviderTokenStore {
  constructor(private readonly tokens: OauthTokensRepository) {
    super();
  }

  override async keep(
    environmentId: EnvironmentId,
    { userId, credentialId }: { userId: string; credentialId: string | null },
    sealed: Sealed,
    tx: Transaction,
  ): Promise<void> {
    if (credentialId !== null) this.tokens.keep(environmentId, { userId, credentialId }, sealed, tx);
  }
}
