import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { unauthorized } from '../../common/errors/index.js';
import { Database, type EnvironmentId } from '../../database/index.js';
import type { StartedVerification } from '../methods/email-code/email-codes.service.js';
import { SessionTokens } from '../sessions/session-tokens.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import { SessionTermsReader } from './session-terms.js';
import { SignInChecks } from './sign-in-checks.js';

/** The answer to a change of one's own profile. */
export interface ProfileAnswer extends SignedIn<FullUser> {
  nextView: 'done' | 'verify-email';
  emailVerification?: StartedVerification;
}

/**
 * The sign-in answer of a session that goes on. Its tokens keep their id and expiry and tell the user as it is now, so
 * a client may take them or stay with what it has.
 */
@Injectable()
export class SessionAnswer {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly checks: SignInChecks,
    private readonly tokens: SessionTokens,
    private readonly terms: SessionTermsReader,
    private readonly database: Database,
  ) {}

  async renew(
    environmentId: EnvironmentId,
    { sessionId }: EndUserPrincipal,
    user: FullUser,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { asCookie } = await this.terms.read(environmentId);
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    const { amr } = session;
    const admission = { environmentId, user, created: false, amr, occasion: 'refresh' as const, client };
    const grants = await this.checks.prepared((prepared) => this.checks.run({ ...admission, prepared }, this.database));
    return this.tokens.issue(environmentId, { session, user, grants, asCookie });
  }
}
