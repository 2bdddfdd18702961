import type { KeyObject } from 'node:crypto';
import { ELEVATED_SCOPES, type ElevatedScope } from '../../auth/index.js';
import { isUuid } from '../../common/ids.js';
import { holdsNow, LEEWAY_SECONDS, readSignedToken, type ReadClaims } from '../sessions/signed-token.js';

/** `typ` of an elevated token: sessions use another, so that neither is accepted as the other (RFC 8725 §3.11). */
export const ELEVATED_TYP = 'elevated+jwt';
/** How long a proof counts as fresh. */
export const FRESH_SECONDS = 300;

/** @param nowMs by the service's clock */
export const isFresh = (provenAt: Date, nowMs: number): boolean => nowMs - provenAt.getTime() <= FRESH_SECONDS * 1_000;

/** The user and session of a fresh proof. */
export interface ElevatedSubject {
  environmentId: string;
  userId: string;
  sessionId: string;
}

export interface ElevatedToken {
  tokenId: string;
  scopes: readonly string[];
}

export interface ElevatedExpectations extends ElevatedSubject {
  issuer: string;
  nowSeconds: number;
  findKey: (kid: string) => Promise<KeyObject | null>;
}

/** @param provenAt when the proof was given, in seconds: its five minutes start then */
export const elevatedClaims = (
  { environmentId, userId, sessionId }: ElevatedSubject,
  issued: { issuer: string; tokenId: string; scopes: readonly ElevatedScope[]; nowSeconds: number; provenAt: number },
): Record<string, unknown> => ({
  iss: issued.issuer,
  aud: issued.issuer,
  sub: userId,
  sid: sessionId,
  jti: issued.tokenId,
  environment_id: environmentId,
  purpose: 'elevated',
  scope: issued.scopes.join(' '),
  iat: issued.nowSeconds,
  auth_time: issued.provenAt,
  exp: issued.provenAt + FRESH_SECONDS,
});

/** Null for a token of another kind, session, user or environment, and for an invalid or expired one. */
export const readElevatedToken = (token: string, expected: ElevatedExpectations): Promise<ElevatedToken | null> =>
  readSignedToken(token, { typ: ELEVATED_TYP, findKey: expected.findKey, read: (claims) => read(claims, expected) });

function read(claims: ReadClaims, expected: ElevatedExpectations): ElevatedToken | null {
  const { iss, aud, sub, sid, jti, environment_id, purpose, scope } = claims;
  if (iss !== expected.issuer || aud !== expected.issuer || purpose !== 'elevated') return null;
  if (environment_id !== expected.environmentId || sub !== expected.userId || sid !== expected.sessionId) return null;
  if (!isUuid(jti) || typeof scope !== 'string') return null;
  // Valid as long as the proof is fresh; instances share one clock, so no leeway is given.
  if (!holdsNow(claims, expected.nowSeconds + LEEWAY_SECONDS)) return null;
  const known: readonly string[] = ELEVATED_SCOPES.values;
  return { tokenId: jti, scopes: scope.split(' ').filter((name) => known.includes(name)) };
}
