import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal, EnvironmentTokenPrincipal } from '../../auth/index.js';
import { forbidden } from '../../common/errors/index.js';
import { isUuid } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { PurposeTokens } from '../../identity/index.js';
import { ApiTokensService } from '../../organizations/index.js';
import type { WaasAuthenticateResponse, WaasVerifyApiKeyResponse } from './wallet-access.dto.js';

const SERVICE = 'waas';
export const SERVER_TOKEN_SECONDS = 300;

/**
 * Short-lived tokens exchanged for API tokens, so that the part of a server that deals with wallets need not hold
 * credentials for everything else. Such a token has the permissions its API token has at the moment of the call, and
 * ends with it.
 */
@Injectable()
export class ServerTokens {
  constructor(
    private readonly tokens: PurposeTokens,
    private readonly apiTokens: ApiTokensService,
  ) {}

  /** @throws ApiError forbidden for a member, who has no API token to exchange */
  async exchange(environmentId: EnvironmentId, caller: DashboardPrincipal): Promise<WaasAuthenticateResponse> {
    if (caller.kind !== 'environmentToken') {
      throw forbidden({ hint: 'It is an API token of the environment that is exchanged here: call with one.' });
    }
    const subject = { sub: caller.tokenId };
    const [jwt, minifiedJwt] = await Promise.all(
      [{ ...subject, scope: caller.scopes.join(' ') }, subject].map((claims) =>
        this.tokens.issue(environmentId, SERVICE, { claims, ttlSeconds: SERVER_TOKEN_SECONDS }),
      ),
    );
    return {
      message: `The tokens hold for ${SERVER_TOKEN_SECONDS} seconds.`,
      encodedJwts: { jwt: jwt!, minifiedJwt: minifiedJwt! },
    };
  }

  verify(environmentId: EnvironmentId, caller: DashboardPrincipal): WaasVerifyApiKeyResponse {
    return { environmentId, verified: caller.kind === 'environmentToken' };
  }

  /** Null for any other token, for an invalid one, and once its API token no longer exists. */
  async recognize(environmentId: EnvironmentId, token: string): Promise<EnvironmentTokenPrincipal | null> {
    const claims = await this.tokens.read(environmentId, SERVICE, token);
    if (!claims || !isUuid(claims['sub'])) return null;
    const live = await this.apiTokens.findLive(environmentId, claims['sub']);
    return live && { kind: 'environmentToken', ...live, audience: SERVICE };
  }
}
