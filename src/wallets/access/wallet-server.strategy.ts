import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  BearerTokenStrategy,
  environmentOfPath,
  STRATEGIES,
  type AuthorizedRequest,
  type EnvironmentTokenPrincipal,
} from '../../auth/index.js';
import { ServerTokens } from './server-tokens.js';

/** An application's server, by the token it got for its API token. The path names the environment whose key applies. */
@Injectable()
export class WalletServerStrategy extends PassportStrategy(BearerTokenStrategy, STRATEGIES.walletServer) {
  constructor(private readonly tokens: ServerTokens) {
    super();
  }

  async validate(request: AuthorizedRequest, token: string): Promise<EnvironmentTokenPrincipal | null> {
    const environmentId = environmentOfPath(request);
    return environmentId && this.tokens.recognize(environmentId, token);
  }
}
