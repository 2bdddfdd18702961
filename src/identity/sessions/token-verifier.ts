import type { KeyObject } from 'node:crypto';
import { isUuid } from '../../common/ids.js';
import { holdsNow, readSignedToken, type ReadClaims } from './signed-token.js';

/** Values known to the caller, as opposed to the token's own claims. */
export interface Expectations {
  environmentId: string;
  issuer: string;
  nowSeconds: number;
  /** Looks up the public key by id, among this environment's keys only. */
  findKey: (kid: string) => Promise<KeyObject | null>;
}

/** The relevant claims of a valid token. */
export interface VerifiedToken {
  userId: string;
  sessionId: string;
  tokenId: string;
  /** `aud`: the origin where the session began, or the service's own address for one that began outside a browser. */
  issuedTo: string;
  scopes: string[];
  /** Authentication methods of the session when the token was issued (RFC 8176). */
  amr: string[];
}

/** Verifies a session token. Null for any other token, and for an invalid one. */
export const verifyToken = (token: string, expected: Expectations): Promise<VerifiedToken | null> =>
  readSignedToken(token, { typ: 'JWT', findKey: expected.findKey, read: (claims) => claimsOf(claims, expected) });

/** §3.8, §3.9 and §3.12: issuer, audience, times, and that it is a session token, not one for another purpose. */
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
