import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { BearerTokenStrategy, STRATEGIES, type DashboardUserPrincipal } from '../../auth/index.js';
import { PersonalTokens } from './personal-tokens.js';

/** Authenticates a member's program by personal token. The guard looks up the member's role, hence its permissions. */
@Injectable()
export class PersonalTokenStrategy extends PassportStrategy(BearerTokenStrategy, STRATEGIES.personalToken) {
  constructor(private readonly tokens: PersonalTokens) {
    super();
  }

  override async validate(_request: Request, text: string): Promise<DashboardUserPrincipal | null> {
    const token = await this.tokens.recognize(text);
    if (!token) return null;
    // A fresh object per call: the guard writes the role in the requested organization into it.
    const { userId, environmentId, tokenId } = token;
    return { kind: 'dashboardUser', userId, consoleEnvironmentId: environmentId, tokenId, role: null };
  }
}
