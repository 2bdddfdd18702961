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
import { OauthAttemptsRepository, type KnownAttempt } from './oauth-attempts.repository.js';
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
  /** The setup of an organization, where the sign-in goes to its provider. */
  ssoProviderId?: string | undefined;
}

/** What a browser is given when it begins, and is to show from then on. */
export interface Begun {
  setCookie?: string;
}

/**
 * The way to a provider. An attempt is bound from the beginning to the end: to the cookie of the browser that began, or,
 * where a client keeps none, to the challenge that this client sent. So nobody can have somebody else sign in for them.
 */
@Injectable()
export class OauthAttempts {
  constructor(
    private readonly attempts: OauthAttemptsRepository,
    private readonly peers: OauthPeers,
    private readonly urls: ProviderUrls,
    private readonly returns: ReturnAddresses,
  ) {}

  /** @throws ApiError 422 for a provider that is off, a state or challenge that is weak, an address that is not registered */
  async begin(
    environmentId: EnvironmentId,
    provider: string,
    { state, redirectUrl, codeChallenge, ssoProviderId }: Beginning,
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
    const isNew = await this.attempts.begin(environmentId, {
      stateHash: stateHash(state),
      provider,
      redirectUrl: redirectUrl ?? null,
      browserHash: key === null ? null : browserHash(key),
      codeChallenge: codeChallenge ?? null,
      ssoProviderId: binding?.ssoProviderId ?? null,
      ssoSetupHash: binding?.ssoSetupHash ?? null,
      ttlSeconds: ATTEMPT_SECONDS,
    });
    if (!isNew) throw oauthStateInUse();
    return key === null ? {} : { setCookie: attemptCookie(environmentId, { key, state }) };
  }

  /** Where the browser goes, for the attempt that is named or, without a name, the newest of this browser. */
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

  /** An attempt that goes on, for the browser that it is bound to. @throws ApiError 422 which says why there is none */
  async get(
    environmentId: EnvironmentId,
    provider: string,
    state: string,
    browser: BrowserAttempt | null,
  ): Promise<KnownAttempt> {
    return theirs(await this.attempts.find(environmentId, stateHash(state)), provider, browser);
  }

  /** The same with whom to ask, who may have been switched off since it began. */
  async open(
    environmentId: EnvironmentId,
    provider: string,
    state: string,
    browser: BrowserAttempt | null,
  ): Promise<{ attempt: KnownAttempt; peer: OauthPeer }> {
    const found = await this.attempts.find(environmentId, stateHash(state));
    // Nobody but the browser that began learns what has become of a setup.
    if (found?.ssoProviderId) theirs(found, provider, browser);
    const peer = await this.peers.of(environmentId, provider, found);
    return { attempt: theirs(found, provider, browser), peer };
  }

  /** Whom attempts go to that name no setup of an organization; null while the environment has no such provider. */
  usualPeer(environmentId: EnvironmentId, provider: string): Promise<OauthPeer | null> {
    return this.peers.findUsual(environmentId, provider);
  }

  /** Our address at the provider: of the deployment's configuration, never of a request. */
  redirectUri(environmentId: EnvironmentId, provider: string): string {
    const { redirectUrl } = this.urls.of(environmentId, provider);
    if (!redirectUrl) throw providerNotAvailable();
    return redirectUrl;
  }
}

/** @throws ApiError 422 for an attempt of another provider or browser, and for one that is over */
function theirs(attempt: KnownAttempt | null, provider: string, browser: BrowserAttempt | null): KnownAttempt {
  if (attempt?.provider !== provider) throw oauthAttemptUnknown();
  if (attempt.isExpired) throw oauthAttemptExpired();
  if (attempt.browserHash && !(browser && attempt.browserHash.equals(browserHash(browser.key)))) {
    throw oauthAttemptElsewhere();
  }
  return attempt;
}
