import type { KeyObject } from 'node:crypto';
import { isUuid } from '../../common/ids.js';
import { holdsNow, readSignedToken, type ReadClaims } from './signed-token.js';

/** What the caller knows, as opposed to what the token says. */
export interface Expectations {
  environmentId: string;
  issuer: string;
  nowSeconds: number;
  /** The public key of that id among the keys of this environment alone. */
  findKey: (kid: string) => Promise<KeyObject | null>;
}

/** The claims that decide, of a token that holds. */
export interface VerifiedToken {
  userId: string;
  sessionId: string;
  tokenId: string;
  /** `aud`: the origin that the session began at, or the address of the service for one that began outside of a browser. */
  issuedTo: string;
  scopes: string[];
  /** How the session was proven when the token was made (RFC 8176). */
  amr: string[];
}

/** A token of a session. Null for any other, and for one that does not hold. */
export const verifyToken = (token: string, expected: Expectations): Promise<VerifiedToken | null> =>
  readSignedToken(token, { typ: 'JWT', findKey: expected.findKey, read: (claims) => claimsOf(claims, expected) });

/** §3.8, §3.9 and §3.12: issuer, audience, times, and that the token is a session's and not one for another purpose. */
function claimsOf(claims: ReadClaims, expected: Expectations): VerifiedToken | null {
  const { iss, aud, sub, sid, jti, scope, environment_id, amr } = claims;
  if (iss !== expected.issuer || environment_id !== expected.environmentId) return null;
  if (typeof aud !== 'string' || aud === '' || 'purpose' in claims) return null;
  if (!isUuid(sub) || !isUuid(sid) || !isUuid(jti) || typeof scope !== 'string') return null;
  if (!holdsNow(claims, expected.nowSeconds)) return null;
  return {
    userId: sub,
    sessionId: sid,
    tokenId: jti,
    issuedTo: aud,
    scopes: scope.split(' ').filter(Boolean),
    amr: textsOf(amr),
  };
}

function textsOf(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((one) => typeof one === 'string') : [];
}
