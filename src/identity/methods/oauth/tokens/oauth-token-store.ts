import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../../../database/index.js';
import { ProviderTokenStore } from '../../../flows/proofs/proof.js';
import { OauthTokensRepository, type ProvenAccount } from './oauth-tokens.repository.js';
import { SealedTokens, type ProviderTokens } from './sealed-tokens.js';

type Sealed = Awaited<ReturnType<SealedTokens['seal']>>;

/** Stores provider tokens with their account. */
@Injectable()
export class OauthTokenStore extends ProviderTokenStore {
  constructor(
    private readonly tokens: OauthTokensRepository,
    private readonly sealed: SealedTokens,
  ) {
    super();
  }

  /**
   * The tokens of a proof, with the refresh token of an earlier one if the provider gave none this time: some give it
   * with the first consent only, and it stays valid. One that cannot be opened refuses nobody the sign-in.
   */
  async complete(
    environmentId: EnvironmentId,
    provider: string,
    account: ProvenAccount,
    tokens: ProviderTokens,
  ): Promise<ProviderTokens> {
    if (tokens.refreshToken !== null || tokens.expiresInSeconds === null) return tokens;
    const earlier = await this.tokens.findEarlier(environmentId, provider, account);
    const opened = earlier && (await this.sealed.open(earlier).catch(() => null));
    return { ...tokens, refreshToken: opened?.refreshToken ?? null };
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
