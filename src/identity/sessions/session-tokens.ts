import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { SigningKeys } from '../../environments/index.js';
import { bytesForToken, sessionCookie } from './session-cookie.js';
import type { Session } from './session.entity.js';
import type { SignedIn } from './signed-in.js';
import { fullClaims, issuerOf, minifiedClaims, type TokenSubject } from './token-claims.js';
import { TokenSigner } from './token-signer.js';
import { fittingClaims, fittingScopes, MAX_TOKEN_BYTES, roomForClaims } from './token-size.js';

/** What a caller may do besides being the user: the result of the sign-in checks. */
export interface Grants {
  scopes: readonly string[];
  lists: readonly string[];
}

/**
 * Creates the tokens of a session. The same session, user and grants always give the same bytes, and never more than
 * fit into a header or a cookie.
 */
@Injectable()
export class SessionTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly signer: TokenSigner,
    private readonly config: Config,
  ) {}

  async issue<U extends TokenSubject>(
    environmentId: EnvironmentId,
    issue: { session: Session; user: U; grants: Grants; asCookie: boolean },
  ): Promise<SignedIn<U & { sessionId: string; scope: string; lists: readonly string[] }>> {
    const { session, grants, asCookie } = issue;
    const { publicUrl } = this.config;
    const key = await this.keys.signer(environmentId);
    const room = roomForClaims(asCookie ? bytesForToken(environmentId) : MAX_TOKEN_BYTES, key.kid);
    const about = {
      session,
      lists: grants.lists,
      issuer: issuerOf(publicUrl, environmentId),
      defaultAudience: publicUrl,
      kid: key.kid,
    };
    const withoutScopes = minifiedClaims({ ...about, user: issue.user, scope: '' });
    const scope = fittingScopes(grants.scopes, { withoutScopes, room, asCookie }).join(' ');
    // Clients take an empty list for a complete profile, and none for one that is not known.
    const missingFields = issue.user.missingFields ?? [];
    const user = { ...issue.user, missingFields, sessionId: session.id, scope, lists: grants.lists };
    const input = { ...about, user, scope };
    const expiresAt = String(Math.floor(session.tokenExpiresAt.getTime() / 1000));
    if (asCookie) {
      const token = await this.signer.sign(minifiedClaims(input), key);
      return { user, expiresAt, setCookie: sessionCookie(environmentId, token, session.tokenExpiresAt) };
    }
    const [jwt, minifiedJwt] = await Promise.all([
      this.signer.sign(fittingClaims(fullClaims(input), room), key),
      this.signer.sign(minifiedClaims(input), key),
    ]);
    return { user, expiresAt, jwt, minifiedJwt };
  }
}
