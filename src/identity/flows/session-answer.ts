import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { unauthorized } from '../../common/errors/index.js';
import { Database, type EnvironmentId } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionTokens, type Grants } from '../sessions/session-tokens.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import { Admissions } from './admissions.js';
import { SessionTermsReader, type IssueTerms } from './session-terms.js';

/** Who is in, with what. */
export interface Admitted {
  session: Session;
  user: FullUser;
  grants: Grants;
}

/** The answer to a sign-in, a refresh, or a change of one's own profile: the user and the tokens of the session. */
@Injectable()
export class SessionAnswer {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly admissions: Admissions,
    private readonly tokens: SessionTokens,
    private readonly termsReader: SessionTermsReader,
    private readonly database: Database,
  ) {}

  /** To be read before a transaction begins. */
  terms(environmentId: EnvironmentId): Promise<IssueTerms> {
    return this.termsReader.read(environmentId);
  }

  issue(environmentId: EnvironmentId, admitted: Admitted, { asCookie }: IssueTerms): Promise<SignedIn<FullUser>> {
    return this.tokens.issue(environmentId, { ...admitted, asCookie });
  }

  /**
   * The answer for a session that goes on. Its tokens keep their id and expiry and tell the user as it is now, so a client
   * may take them or stay with what it has.
   */
  async renew(
    environmentId: EnvironmentId,
    { sessionId }: EndUserPrincipal,
    user: FullUser,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const terms = await this.terms(environmentId);
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    const { amr } = session;
    const admission = { environmentId, user, created: false, amr, occasion: 'refresh' as const, client };
    const grants = await this.admissions.admit(admission, this.database);
    return this.issue(environmentId, { session, user, grants }, terms);
  }
}
