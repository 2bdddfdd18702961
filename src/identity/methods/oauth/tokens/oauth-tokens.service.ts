import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../common/clock.js';
import { notFound } from '../../../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId } from '../../../../database/index.js';
import { ChangeLog, type Actor } from '../../../../organizations/index.js';
import { SocialAccounts } from '../../../../providers/index.js';
import type { OauthToken } from './oauth-token.entity.js';
import { oauthTokenExpired } from './oauth-token.errors.js';
import { OAUTH_TOKEN_READ } from './oauth-token.events.js';
import { OauthTokensRepository, type FoundToken } from './oauth-tokens.repository.js';
import { SealedTokens } from './sealed-tokens.js';

/** A token that ends sooner would end on its way to the provider. */
const MIN_REST_MS = 30_000;
/** Longer than a provider may take to answer. */
const LEASE_SECONDS = 20;
const POLL_MS = 100;

/** Tokens of providers for those who may have them. One that has ended is traded for a new one, once at a time. */
@Injectable()
export class OauthTokens {
  constructor(
    private readonly tokens: OauthTokensRepository,
    private readonly sealed: SealedTokens,
    private readonly social: SocialAccounts,
    private readonly changes: ChangeLog,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Every reading is told: who, and of whose account.
   * @param ownerId the only user whose account it may be; absent for members
   * @throws ApiError 404, 422 `oauth_token_expired`, `social_sign_in_failed`
   */
  async read(
    environmentId: EnvironmentId,
    credentialId: string,
    actor: Actor,
    ownerId?: string,
  ): Promise<{ accessToken: string }> {
    const row = await this.current(environmentId, credentialId, ownerId);
    const { accessToken } = await this.sealed.open(row);
    await this.work.run((tx) =>
      this.changes.record(
        {
          scope: { environmentId },
          actor,
          event: OAUTH_TOKEN_READ,
          resource: { type: 'oauthAccount', id: credentialId },
          before: null,
          after: null,
          data: { oauthAccountId: credentialId, userId: row.userId, provider: row.provider },
        },
        tx,
      ),
    );
    return { accessToken };
  }

  /**
   * For calls that the service makes itself in the name of the person: nobody is given the token.
   * @returns of the account that was linked last; null without one
   * @throws ApiError 422 `oauth_token_expired`, `social_sign_in_failed`
   */
  async use(
    environmentId: EnvironmentId,
    userId: string,
    provider: string,
  ): Promise<{ credentialId: string; accessToken: string } | null> {
    const known = await this.tokens.findNewest(environmentId, userId, provider);
    if (!known) return null;
    const row = await this.current(environmentId, known.credentialId, userId);
    const { accessToken } = await this.sealed.open(row);
    return { credentialId: row.credentialId, accessToken };
  }

  /** Tokens that are still good, whoever traded the old ones. */
  private async current(environmentId: EnvironmentId, credentialId: string, ownerId?: string): Promise<FoundToken> {
    const until = this.clock.timestamp() + LEASE_SECONDS * 1_000;
    let seen: string | null = null;
    for (;;) {
      const row = await this.tokens.findOfAccount(environmentId, credentialId);
      if (!row || (ownerId !== undefined && row.userId !== ownerId)) throw notFound();
      // Of a provider whose tokens end within seconds, one that came since is as good as any that there will be.
      if (this.isGood(row) || (seen !== null && row.id !== seen)) return row;
      seen = row.id;
      if (await this.tokens.beginRefresh(environmentId, row, LEASE_SECONDS)) await this.refresh(environmentId, row);
      else if (this.clock.timestamp() > until) throw oauthTokenExpired();
      else await wait(POLL_MS);
    }
  }

  private isGood({ expiresAt }: OauthToken): boolean {
    return expiresAt === null || expiresAt.getTime() - this.clock.timestamp() > MIN_REST_MS;
  }

  private async refresh(environmentId: EnvironmentId, row: FoundToken): Promise<void> {
    try {
      const { refreshToken } = await this.sealed.open(row);
      if (refreshToken === null) throw oauthTokenExpired();
      const fresh = await this.social.refresh(environmentId, row, refreshToken);
      // Providers that do not rotate refresh tokens leave them out (RFC 6749 section 6).
      const tokens = { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
      const sealed = await this.sealed.seal(environmentId, row.provider, tokens);
      await this.work.run((tx) => this.tokens.replace(environmentId, row, sealed, tx));
    } catch (error) {
      await this.tokens.endRefresh(environmentId, row);
      throw error;
    }
  }
}
