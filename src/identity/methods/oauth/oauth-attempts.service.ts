import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import { ReturnAddresses } from '../../../environments/index.js';
import { providerNotAvailable, ProviderUrls } from '../../../providers/index.js';
import {
  ATTEMPT_SECONDS,
  attemptCookie,
  browserHash,
  browserVerifier,
  challengeOf,
  isChallenge,
  isState,
  newBrowserKey,
  nonceOf,
  readAttemptCookie,
  stateHash,
  type BrowserAttempt,
} from './oauth-binding.js';
import { OauthAttemptsRepository, type KnownAttempt, type NewAttempt } from './oauth-attempts.repository.js';
import { OauthPeers, type OauthPeer } from './oauth-peers.js';
import {
  oauthAttemptElsewhere,
  oauthAttemptExpired,
  oauthAttemptUnknown,
  oauthChallengeInvalid,
  oauthRedirectNotAllowed,
  oauthStateInUse,
  oauthStateWeak,
} from './oauth.errors.js';

export interface Beginning {
  state: string;
  redirectUrl?: string | undefined;
  codeChallenge?: string | undefined;
  /** The organization's SSO setup, if the sign-in uses one. */
  ssoProviderId?: string | undefined;
  /** Whether it may have begun in this browser already: a page is loaded again when the person goes back to it. */
  isPage?: boolean;
}

/** What a browser receives at the start and must present from then on. */
export interface Begun {
  setCookie?: string;
}

/**
 * The start of a sign-in at a provider. An attempt is bound throughout: to the cookie of the browser that began, or,
 * for a client without cookies, to the challenge that it sent. So nobody can trick another person into signing in for
 * them.
 */
@Injectable()
export class OauthAttempts {
  constructor(
    private readonly attempts: OauthAttemptsRepository,
    private readonly peers: OauthPeers,
    private readonly urls: ProviderUrls,
    private readonly returns: ReturnAddresses,
  ) {}

  /** @throws ApiError 422 for a disabled provider, a weak state or challenge, or an unregistered redirect URL */
  async begin(
    environmentId: EnvironmentId,
    provider: string,
    { state, redirectUrl, codeChallenge, ssoProviderId, isPage = false }: Beginning,
    cookies: string | undefined,
  ): Promise<Begun> {
    const { binding } = await this.peers.named(environmentId, provider, ssoProviderId);
    if (!isState(state)) throw oauthStateWeak();
    if (codeChallenge !== undefined && !(isChallenge(codeChallenge) && redirectUrl)) throw oauthChallengeInvalid();
    if (redirectUrl !== undefined && !(await this.returns.allows(environmentId, redirectUrl))) {
      throw oauthRedirectNotAllowed();
    }
    const key =
      codeChallenge === undefined ? (readAttemptCookie(cookies, environmentId)?.key ?? newBrowserKey()) : null;
    const attempt = {
      stateHash: stateHash(state),
      provider,
      redirectUrl: redirectUrl ?? null,
      browserHash: key === null ? null : browserHash(key),
      codeChallenge: codeChallenge ?? null,
      ssoProviderId: binding?.ssoProviderId ?? null,
      ssoSetupHash: binding?.ssoSetupHash ?? null,
      ttlSeconds: ATTEMPT_SECONDS,
    };
    const isNew = await this.attempts.begin(environmentId, attempt);
    if (!isNew && !(isPage && (await this.isPending(environmentId, attempt)))) throw oauthStateInUse();
    return key === null ? {} : { setCookie: attemptCookie(environmentId, { key, state }) };
  }

  /** The provider's URL for the named attempt or, without a name, the newest of this browser. */
  async address(
    environmentId: EnvironmentId,
    provider: string,
    named: string | undefined,
    cookies: string | undefined,
  ): Promise<string> {
    const browser = readAttemptCookie(cookies, environmentId);
    const state = named ?? browser?.state;
    if (state === undefined) {
      await this.peers.named(environmentId, provider, undefined);
      throw oauthAttemptUnknown();
    }
    const { attempt, peer } = await this.open(environmentId, provider, state, browser);
    const { codeChallenge } = attempt;
    return peer.begin({
      redirectUri: this.redirectUri(environmentId, provider),
      state,
      codeChallenge: codeChallenge ?? challengeOf(browserVerifier(browser!.key, state)),
      nonce: nonceOf(state),
    });
  }

  /** A pending attempt, for the browser it is bound to. @throws ApiError 422 with the reason if there is none */
  async get(
    environmentId: EnvironmentId,
    provider: string,
    state: string,
    browser: BrowserAttempt | null,
  ): Promise<KnownAttempt> {
    return theirs(await this.attempts.find(environmentId, stateHash(state)), provider, browser);
  }

  /** The same with its provider, which may have been disabled since. */
  async open(
    environmentId: EnvironmentId,
    provider: string,
    state: string,
    browser: BrowserAttempt | null,
  ): Promise<{ attempt: KnownAttempt; peer: OauthPeer }> {
    const found = await this.attempts.find(environmentId, stateHash(state));
    // Only the browser that began learns what has become of a setup.
    if (found?.ssoProviderId) theirs(found, provider, browser);
    const peer = await this.peers.of(environmentId, provider, found);
    return { attempt: theirs(found, provider, browser), peer };
  }

  /** The provider of attempts without an organization's setup; null if the environment has no such provider. */
  usualPeer(environmentId: EnvironmentId, provider: string): Promise<OauthPeer | null> {
    return this.peers.findUsual(environmentId, provider);
  }

  /** Whether this very attempt has begun before, in the same browser, and still waits for its answer. */
  private async isPending(environmentId: EnvironmentId, { stateHash: hash, ...wanted }: NewAttempt): Promise<boolean> {
    const found = await this.attempts.find(environmentId, hash);
    if (!found?.browserHash || !wanted.browserHash?.equals(found.browserHash)) return false;
    const isSame = (['provider', 'redirectUrl', 'ssoProviderId'] as const).every((of) => found[of] === wanted[of]);
    return isSame && !found.isExpired && found.answer === null && found.error === null;
  }

  /** Our redirect URI at the provider: from the deployment's configuration, never from a request. */
  redirectUri(environmentId: EnvironmentId, provider: string): string {
    const { redirectUrl } = this.urls.of(environmentId, provider);
    if (!redirectUrl) throw providerNotAvailable();
    return redirectUrl;
  }
}

/** @throws ApiError 422 for an attempt of another provider or browser, or an expired one */
function theirs(attempt: KnownAttempt | null, provider: string, browser: BrowserAttempt | null): KnownAttempt {
  if (attempt?.provider !== provider) throw oauthAttemptUnknown();
  if (attempt.isExpired) throw oauthAttemptExpired();
  if (attempt.browserHash && !(browser && attempt.browserHash.equals(browserHash(browser.key)))) {
    throw oauthAttemptElsewhere();
  }
  return attempt;
}
