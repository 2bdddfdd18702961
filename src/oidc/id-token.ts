import { isSeconds, LEEWAY_SECONDS } from './token-times.js';

/** The expected contents of an id token. */
export interface IdTokenTerms {
  /** Character by character; `{tenantid}` in it stands for the `tid` of the token, where a vendor has one issuer a tenant. */
  issuer: string;
  clientId: string;
  /** Null if none was sent: then the token must not have one. */
  nonce: string | null;
  /** Names of RFC 7518, those that the provider signs with. */
  algorithms: readonly string[];
  jwksUri: string;
}

const TENANT = '{tenantid}';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The first claim that is wrong (OpenID Connect Core 1.0 section 3.1.3.7), in a sentence for logs; null when all hold. */
export function idTokenFault(
  claims: Record<string, unknown>,
  terms: Omit<IdTokenTerms, 'jwksUri' | 'algorithms'>,
  now: number,
): string | null {
  const { iss, aud, azp, sub, exp, nbf, iat, nonce } = claims;
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  const checks: [holds: boolean, fault: string][] = [
    [iss === issuerFor(terms.issuer, claims), 'the issuer is another'],
    [audiences.includes(terms.clientId), 'the audience is another client'],
    [audiences.length === 1 || azp === terms.clientId, 'there are several audiences and the client is not the party'],
    [azp === undefined || azp === terms.clientId, 'the authorized party is another client'],
    [typeof sub === 'string' && sub.length > 0 && sub.length <= 255, 'there is no subject of 1 to 255 characters'],
    [isSeconds(exp) && exp > now - LEEWAY_SECONDS, 'it has expired, or names no expiry'],
    [nbf === undefined || (isSeconds(nbf) && nbf <= now + LEEWAY_SECONDS), 'it is not valid yet'],
    [isSeconds(iat) && iat <= now + LEEWAY_SECONDS, 'it was issued in the future, or names no time of issue'],
    [nonce === (terms.nonce ?? undefined), 'the nonce is another'],
  ];
  return checks.find(([holds]) => !holds)?.[1] ?? null;
}

/** A tenant of a vendor is named by a UUID, so nothing else can stand in its place and lead to another host. */
function issuerFor(issuer: string, { tid }: Record<string, unknown>): string | null {
  if (!issuer.includes(TENANT)) return issuer;
  return typeof tid === 'string' && UUID.test(tid) ? issuer.replace(TENANT, tid) : null;
}
