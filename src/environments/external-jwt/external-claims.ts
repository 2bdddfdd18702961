import { isStorable } from '../../common/storable-text.js';
import { isSeconds, LEEWAY_SECONDS } from '../../oidc/index.js';

const MAX_AGE_SECONDS = 300;

/** A sentence for every invalid claim. Requires an audience, and a token issued in the last five minutes. */
export function claimFaults(
  { iss, aud, sub, exp, nbf, iat }: Record<string, unknown>,
  expected: { issuer: string; audience: string; nowSeconds: number },
): string[] {
  const { issuer, audience, nowSeconds: now } = expected;
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  const checks: [holds: boolean, fault: string][] = [
    [iss === issuer, 'The issuer (iss) is not the one of the settings.'],
    [audiences.includes(audience), 'The audience (aud) is not the one of the settings.'],
    [
      typeof sub === 'string' && sub.length > 0 && sub.length <= 255 && isStorable(sub),
      'The subject (sub) is missing or no text of 1 to 255 characters.',
    ],
    [isSeconds(exp) && exp > now - LEEWAY_SECONDS, 'The token has expired, or names no expiry (exp).'],
    [nbf === undefined || (isSeconds(nbf) && nbf <= now + LEEWAY_SECONDS), 'The token is not valid yet (nbf).'],
    [
      isSeconds(iat) && iat <= now + LEEWAY_SECONDS,
      'The token was issued in the future, or names no time of issue (iat).',
    ],
    [
      !isSeconds(iat) || iat > now - MAX_AGE_SECONDS - LEEWAY_SECONDS,
      'The token was issued more than five minutes ago.',
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, fault]) => fault);
}
