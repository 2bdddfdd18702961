import { Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  Configuration,
  customFetch,
  refreshTokenGrant,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type CustomFetch,
} from 'openid-client';
import { OutboundError, OutboundHttp } from '../outbound/index.js';
import { guardedFetch } from './guarded-fetch.js';
import { authenticationOf, type ClientAuthentication } from './client-authentication.js';
import { OidcError } from './oidc-error.js';
import { readTokenAnswer, tokenSetOf, type TokenSet } from './token-set.js';

/** The endpoints of a provider and our client there. */
export interface OAuthClient {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  clientId: string;
  authentication: ClientAuthentication;
  /** Whether its answers name their issuer (RFC 9207); what they name is compared whenever they do. */
  namesIssuerInAnswers?: boolean;
}

export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  /** BASE64URL(SHA-256(verifier)); null for the few vendors that reject unknown parameters. */
  codeChallenge: string | null;
  nonce: string | null;
  scope: string;
  /** Vendor-specific parameters. */
  extra?: Readonly<Record<string, string>>;
}

/** What the vendor sent back to the redirect address. */
export interface AuthorizationAnswer {
  code: string;
  redirectUri: string;
  /** The `iss` parameter of RFC 9207, if present. */
  iss?: string;
  codeVerifier: string | null;
}

/** The authorization code grant with PKCE (RFC 6749 section 4.1, RFC 7636), implemented by `openid-client`. */
@Injectable()
export class CodeExchange {
  private readonly fetch: CustomFetch;

  constructor(http: OutboundHttp) {
    this.fetch = guardedFetch(http);
  }

  /** The authorization URL for the browser. */
  authorizationUrl(client: OAuthClient, request: AuthorizationRequest): string {
    const { redirectUri, state, codeChallenge, nonce, scope, extra } = request;
    const url = buildAuthorizationUrl(this.configurationOf(client), {
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      ...(scope && { scope }),
      ...(codeChallenge && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
      ...(nonce && { nonce }),
      ...extra,
    });
    return url.href;
  }

  /**
   * Exchanges a code for tokens. An id token is returned unverified: `IdTokens` verifies it.
   *
   * @throws OidcError
   */
  async exchange(client: OAuthClient, answer: AuthorizationAnswer): Promise<TokenSet> {
    const { code, redirectUri, iss, codeVerifier } = answer;
    const url = new URL(redirectUri);
    url.searchParams.set('code', code);
    if (iss !== undefined) url.searchParams.set('iss', iss);
    return this.speak(client, (configuration) =>
      authorizationCodeGrant(configuration, url, codeVerifier === null ? {} : { pkceCodeVerifier: codeVerifier }),
    );
  }

  /** Exchanges a refresh token for new tokens (RFC 6749 section 6). @throws OidcError */
  refresh(client: OAuthClient, refreshToken: string): Promise<TokenSet> {
    return this.speak(client, (configuration) => refreshTokenGrant(configuration, refreshToken));
  }

  private async speak(
    client: OAuthClient,
    grant: (configuration: Configuration) => ReturnType<typeof refreshTokenGrant>,
  ): Promise<TokenSet> {
    const configuration = this.configurationOf(client);
    let idToken: string | null = null;
    let isAsked = false;
    configuration[customFetch] = async (url, options) => {
      isAsked = true;
      const read = await readTokenAnswer(await this.fetch(url, options));
      idToken = read.idToken;
      return read.answer;
    };
    try {
      return tokenSetOf(await grant(configuration), idToken);
    } catch (error) {
      // The library compares the issuer of the answer first. Anybody can send a wrong one: the provider has not failed.
      if (!isAsked && error instanceof ClientError && error.code === 'OAUTH_INVALID_RESPONSE') {
        throw new OidcError('id_token', 'the answer names another issuer, or none');
      }
      throw failureOf(error);
    }
  }

  private configurationOf({ issuer, clientId, authentication, ...at }: OAuthClient): Configuration {
    const configuration = new Configuration(
      {
        issuer,
        authorization_endpoint: at.authorizationEndpoint,
        token_endpoint: at.tokenEndpoint,
        authorization_response_iss_parameter_supported: at.namesIssuerInAnswers ?? false,
      },
      clientId,
      undefined,
      authenticationOf(authentication),
    );
    configuration[customFetch] = this.fetch;
    // Plain http is decided by the egress policy, which every request passes: elsewhere it ends at this machine.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the mark is a warning sign; the guard stands before it
    if (at.tokenEndpoint.startsWith('http:')) allowInsecureRequests(configuration);
    return configuration;
  }
}

/** Keeps only a valid error code: other text from a provider may contain the code or the secret. */
function failureOf(error: unknown): OidcError {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const code = /^[a-z_]{1,60}$/.test(error.error) ? error.error : 'an error';
    return new OidcError('refused', `the provider answered ${code}`);
  }
  // RFC 6749 section 5.2 wants a code beside the challenge; a gateway before the provider often sends none.
  if (error instanceof WWWAuthenticateChallengeError)
    return new OidcError('refused', 'the provider answered a challenge');
  const cause = error instanceof Error && error.cause instanceof OutboundError ? error.cause : error;
  if (cause instanceof OutboundError) return new OidcError('unreachable', cause.kind, { cause });
  if (error instanceof ClientError) return new OidcError('unreachable', error.code ?? 'not of the protocol');
  throw error;
}
