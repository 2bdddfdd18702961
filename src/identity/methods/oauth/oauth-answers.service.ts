import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import { SocialAccounts, type Connected, type SocialIdentity, type SocialResponse } from '../../../providers/index.js';
import {
  browserHash,
  browserVerifier,
  challengeOf,
  codeHash,
  handedCode,
  nonceOf,
  readAttemptCookie,
  stateHash,
  type BrowserAttempt,
} from './oauth-binding.js';
import { OauthAttemptsRepository, type TakenAttempt } from './oauth-attempts.repository.js';
import { OauthAttempts } from './oauth-attempts.service.js';
import type { OauthPeer } from './oauth-peers.js';
import {
  oauthAlreadyAnswered,
  oauthAnswerMissing,
  oauthAttemptUnknown,
  oauthCodeInvalid,
  oauthRefused,
} from './oauth.errors.js';

/** The provider's callback parameters. */
export interface ProviderAnswer extends SocialResponse {
  state?: string | undefined;
  iss?: string | undefined;
}

export interface OauthResult {
  status: 'pending' | 'completed';
  code?: string;
  error?: string;
}

/** What a client presents to finish a sign-in. */
export interface OauthAnswer {
  provider: string;
  state: string;
  code?: string | undefined;
  codeVerifier?: string | undefined;
  cookies: string | undefined;
  /** If present, it must be the one the sign-in began with. */
  ssoProviderId?: string | undefined;
}

/** The identity returned by a provider, with the directory if it is an organization's provider. */
type RedeemedIdentity = SocialIdentity & Connected & { directory: string | null };

/** The return from a provider, up to the identity it asserts. */
@Injectable()
export class OauthAnswers {
  constructor(
    private readonly begun: OauthAttempts,
    private readonly attempts: OauthAttemptsRepository,
    private readonly social: SocialAccounts,
  ) {}

  /**
   * Stores the provider's answer. Errors, like codes, go to the redirect URL of the attempt; for an unknown attempt
   * there is none, so nothing is redirected.
   *
   * @returns the URL to redirect to; null if the client polls for the result
   */
  async receive(
    environmentId: EnvironmentId,
    provider: string,
    given: ProviderAnswer,
    cookies: string | undefined,
  ): Promise<string | null> {
    const { state, iss } = given;
    if (!state) throw oauthAttemptUnknown();
    const { answer, error } = this.social.answerIn(provider, given);
    const code = answer === null ? null : handedCode(state, answer);
    const browser = readAttemptCookie(cookies, environmentId);
    const key = { stateHash: stateHash(state), provider, browserHash: browser && browserHash(browser.key) };
    const values = {
      answer,
      issuer: iss ?? null,
      codeHash: code === null ? null : codeHash(code),
      error,
    };
    const attempt = await this.attempts.answer(environmentId, key, values);
    if (!attempt) {
      await this.begun.get(environmentId, provider, state, browser);
      throw oauthAlreadyAnswered();
    }
    return (
      attempt.redirectUrl &&
      addressWith(attempt.redirectUrl, code === null ? { error: error!, state } : { code, state })
    );
  }

  /**
   * The result of an attempt. The code is only for the browser that began: if an attempt is bound to a client without a
   * cookie, the caller need not be the person who signed in, and the code went to the client's redirect URL only.
   */
  async result(
    environmentId: EnvironmentId,
    provider: string,
    state: string,
    cookies: string | undefined,
  ): Promise<OauthResult> {
    const browser = readAttemptCookie(cookies, environmentId);
    const { answer, error, browserHash: bound } = await this.begun.get(environmentId, provider, state, browser);
    if (error !== null) return { status: 'completed', error };
    if (answer === null) return { status: 'pending' };
    return { status: 'completed', ...(bound && { code: handedCode(state, answer) }) };
  }

  /** Uses up an attempt and asks the provider for the identity. Of concurrent calls, one succeeds. */
  async redeem(environmentId: EnvironmentId, given: OauthAnswer): Promise<RedeemedIdentity> {
    const { provider, state, code = '', codeVerifier, cookies, ssoProviderId } = given;
    const browser = readAttemptCookie(cookies, environmentId);
    const key = { stateHash: stateHash(state), provider, browserHash: browser && browserHash(browser.key) };
    const shown = { codeHash: codeHash(code), codeChallenge: codeVerifier ? challengeOf(codeVerifier) : null };
    // Most attempts use a provider of the environment and can be taken without reading them first.
    const usual = ssoProviderId === undefined ? await this.begun.usualPeer(environmentId, provider) : null;
    const own = usual && (await this.attempts.consume(environmentId, key, shown, null));
    if (usual && own) return this.identityOf(environmentId, given, { peer: usual, taken: own, browser });
    // Read first, because what an attempt was bound to is unknown after it is taken; the statement decides.
    const { attempt, peer } = await this.begun.open(environmentId, provider, state, browser);
    const { answer, error } = attempt;
    if (ssoProviderId !== undefined && ssoProviderId !== attempt.ssoProviderId) throw oauthAttemptUnknown();
    if (error !== null) throw oauthRefused({ payload: { error } });
    if (answer === null) throw oauthAnswerMissing();
    const taken = await this.attempts.consume(environmentId, key, shown, attempt.ssoProviderId);
    if (!taken) {
      await this.begun.get(environmentId, provider, state, browser);
      throw oauthCodeInvalid();
    }
    return this.identityOf(environmentId, given, { peer, taken, browser });
  }

  private async identityOf(
    environmentId: EnvironmentId,
    { provider, state, codeVerifier }: OauthAnswer,
    { peer, taken, browser }: { peer: OauthPeer; taken: TakenAttempt; browser: BrowserAttempt | null },
  ): Promise<RedeemedIdentity> {
    const { answer, issuer, codeChallenge } = taken;
    const identity = await peer.finish({
      state,
      code: answer,
      redirectUri: this.begun.redirectUri(environmentId, provider),
      codeVerifier: codeChallenge === null ? browserVerifier(browser!.key, state) : codeVerifier!,
      nonce: nonceOf(state),
      ...(issuer !== null && { iss: issuer }),
    });
    return { ...identity, directory: (peer.binding && identity.connection) ?? null };
  }
}

function addressWith(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
