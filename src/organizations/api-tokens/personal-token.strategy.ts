import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { BearerTokenStrategy, STRATEGIES, type DashboardUserPrincipal } from '../../auth/index.js';
import { PersonalTokens } from './personal-tokens.js';

/** A member's program, by a personal token. What it may do follows from the member's role, which the guard looks up. */
@Injectable()
export class PersonalTokenStrategy extends PassportStrategy(BearerTokenStrategy, STRATEGIES.personalToken) {
  constructor(private readonly tokens: PersonalTokens) {
    super();
  }

  override async validate(_request: Request, text: string): Promise<DashboardUserPrincipal | null> {
    const token = await this.tokens.recognize(text);
    if (!token) return null;
    // A fresh object for each call: the guard writes the role of this call's organization into it.
    const { userId, environmentId, tokenId } = token;
    return { kind: 'dashboardUser', userId, consoleEnvironmentId: environmentId, tokenId, role: null };
  }
}
