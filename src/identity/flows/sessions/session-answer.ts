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

/** An admitted user and what was granted. */
export interface Admitted extends Omit<AssuranceSubject, 'environmentId'> {
  grants: Grants;
}

/** The response to a sign-in, a refresh, or a change of one's own profile: the user and the session's tokens. */
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

  /** Must be read before a transaction begins. */
  terms(environmentId: EnvironmentId): Promise<IssueTerms> {
    return this.termsReader.read(environmentId);
  }

  /** The tokens state what is outstanding: a session may be partial, and becomes complete without another sign-in. */
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
   * The response for a continuing session. Its tokens keep their id and expiry and contain the current user, so a
   * client may adopt them or keep its own. A caller with a replaced token gets none: the guard refuses before the
   * operation, but this check is the authoritative one.
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

  /** The response for a session that the operation itself knows to be live. */
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
