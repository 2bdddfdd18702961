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

/** A token that expires sooner could expire on its way to the provider. */
const MIN_REST_MS = 30_000;
/** Longer than the timeout of a provider call. */
const LEASE_SECONDS = 20;
const POLL_MS = 100;

/** Provider tokens for authorised callers. An expired one is refreshed, by one caller at a time. */
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
   * Every read emits an event: who read, and whose account.
   * @param ownerId the only permitted owner of the account; absent for members
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
   * For the service's own calls on behalf of the person: the token is not handed out.
   * @returns the tokens of the account linked last; null without one
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

  /** Valid tokens, whoever refreshed them. */
  private async current(environmentId: EnvironmentId, credentialId: string, ownerId?: string): Promise<FoundToken> {
    const until = this.clock.timestamp() + LEASE_SECONDS * 1_000;
    let seen: string | null = null;
    for (;;) {
      const row = await this.tokens.findOfAccount(environmentId, credentialId);
      if (!row || (ownerId !== undefined && row.userId !== ownerId)) throw notFound();
      // If a provider's tokens expire within seconds, a newly issued one is as good as any.
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
