import { Injectable } from '@nestjs/common';
import { tokenReplaced, type ClientOrigin, type EndUserPrincipal } from '../../../auth/index.js';
import { unauthorized } from '../../../common/errors/index.js';
import { Database, type EnvironmentId } from '../../../database/index.js';
import type { AssuranceSubject } from '../../assurance/requirements.js';
import { SessionAssurance, type Elevation } from '../../assurance/session-assurance.js';
import type { Session } from '../../sessions/session.entity.js';
import { SessionTokens, type Grants } from '../../sessions/session-tokens.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { Admissions } from '../admission/admissions.js';
import { SessionTermsReader, type IssueTerms } from './session-terms.js';
import { withPreparation } from '../admission/sign-in-checks.js';

/** Who is in, with what. */
export interface Admitted extends Omit<AssuranceSubject, 'environmentId'> {
  grants: Grants;
}

/** The answer to a sign-in, a refresh, or a change of one's own profile: the user and the tokens of the session. */
@Injectable()
export class SessionAnswer {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly admissions: Admissions,
    private readonly assurance: SessionAssurance,
    private readonly tokens: SessionTokens,
    private readonly termsReader: SessionTermsReader,
    private readonly database: Database,
  ) {}

  /** To be read before a transaction begins. */
  terms(environmentId: EnvironmentId): Promise<IssueTerms> {
    return this.termsReader.read(environmentId);
  }

  /** The tokens say what is outstanding: a session may be partial, and becomes complete without another sign-in. */
  async issue(
    environmentId: EnvironmentId,
    { grants, ...admitted }: Admitted,
    { asCookie }: IssueTerms,
    elevation?: Elevation,
  ): Promise<SignedIn<FullUser>> {
    const { session, user } = admitted;
    const { outstanding, ...assured } = await this.assurance.apply({ environmentId, ...admitted }, grants);
    const elevated = elevation && (await this.assurance.elevate(environmentId, session, elevation, assured.scopes));
    const signedIn = await this.tokens.issue(environmentId, { session, user, grants: assured, asCookie });
    return { ...signedIn, ...outstanding, ...(elevated && { elevatedAccessToken: elevated }) };
  }

  /**
   * The answer for a session that goes on. Its tokens keep their id and expiry and tell the user as it is now, so a client
   * may take them or stay with what it has. Whoever presents a token that was replaced gets none: the guard says so before
   * the operation, and this is where it holds.
   * @throws ApiError 401 `token_replaced`
   */
  async renew(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    user: FullUser,
    client: ClientOrigin,
    elevation?: Elevation,
  ): Promise<SignedIn<FullUser>> {
    return this.anew(environmentId, await this.renewable(environmentId, caller, client), user, client, elevation);
  }

  /** The answer for a session that the operation itself knows to go on. */
  async anew(
    environmentId: EnvironmentId,
    session: Session,
    user: FullUser,
    client: ClientOrigin,
    elevation?: Elevation,
  ): Promise<SignedIn<FullUser>> {
    const terms = await this.terms(environmentId);
    const { amr } = session;
    const occasion = 'refresh';
    const admission = { environmentId, user, created: false, amr, occasion, client } as const;
    const grants = await withPreparation((prepared) =>
      this.admissions.admit({ ...admission, prepared }, this.database),
    );
    return this.issue(environmentId, { session, user, grants, occasion }, terms, elevation);
  }

  private async renewable(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { userAgent }: ClientOrigin,
  ): Promise<Session> {
    const { sessionId: id, tokenId } = caller;
    const session = await this.sessions.findRenewable(environmentId, { id, tokenId, userAgent });
    if (session) return session;
    throw (await this.sessions.findLive(environmentId, id)) ? tokenReplaced() : unauthorized();
  }
}
