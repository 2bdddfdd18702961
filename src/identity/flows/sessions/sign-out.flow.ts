import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { clearedCookie } from '../../sessions/session-cookie.js';
import { SessionEndings } from '../../sessions/session-endings.js';
import { SessionTermsReader } from './session-terms.js';

/** Ends the session of the caller. */
@Injectable()
export class SignOutFlow {
  constructor(
    private readonly endings: SessionEndings,
    private readonly terms: SessionTermsReader,
  ) {}

  async signOut(
    environmentId: EnvironmentId,
    { sessionId, userId }: EndUserPrincipal,
  ): Promise<{ setCookie?: string }> {
    const { asCookie } = await this.terms.read(environmentId);
    await this.endings.end(environmentId, sessionId, userId);
    return asCookie ? { setCookie: clearedCookie(environmentId) } : {};
  }
}
