import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { BearerTokenStrategy, STRATEGIES, type EnvironmentTokenPrincipal } from '../../auth/index.js';
import { EnvironmentTokens } from './environment-tokens.js';

/** Authenticates an application's server by an API token of its environment. */
@Injectable()
export class EnvironmentTokenStrategy extends PassportStrategy(BearerTokenStrategy, STRATEGIES.environmentToken) {
  constructor(private readonly tokens: EnvironmentTokens) {
    super();
  }

  override async validate(_request: Request, text: string): Promise<EnvironmentTokenPrincipal | null> {
    const token = await this.tokens.recognize(text);
    if (!token) return null;
    const { tokenId, environmentId, scopes, createdBy, role } = token;
    return { kind: 'environmentToken', tokenId, environmentId, scopes, createdBy, role };
  }
}
