import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { TenantFailure } from '../../outbound/index.js';
import { isSignedBy, KeySet, KeySets, parseSignedToken, type SignedToken } from '../../oidc/index.js';
import { EnvironmentSettingsReader } from '../environment-settings-reader.js';
import { claimFaults } from './external-claims.js';

/** The claims of a valid token, or a sentence for each reason why it is invalid. */
export type ExternalVerdict = { claims: Record<string, unknown>; faults: [] } | { claims: null; faults: string[] };

const FAILURES: Record<TenantFailure, string> = {
  timeout: 'did not answer in time',
  dns: 'has a name that does not resolve',
  tls: 'could not be trusted (TLS)',
  refused: 'refused the connection',
  status: 'did not answer with a key set',
};

/** Tokens of an external issuer that an environment accepts instead of its own sign-in. */
@Injectable()
export class ExternalTokens {
  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly keys: KeySets,
    private readonly clock: Clock,
  ) {}

  /** Checks a token against the settings. Trusts only keys published by the issuer, never a key or URL in the token. */
  async verify(environmentId: EnvironmentId, encoded: string): Promise<ExternalVerdict> {
    const { enabled, iss, aud, jwksUrl } = (await this.settings.get(environmentId)).security.externalAuth ?? {};
    const token = parseSignedToken(encoded);
    const faults = [
      ...(enabled ? [] : ['External authentication is switched off in the settings.']),
      ...(iss && aud && jwksUrl
        ? []
        : ['The settings lack the issuer (iss), the audience (aud) or the key set (jwksUrl).']),
      ...(typeof token === 'string' ? [token] : []),
    ];
    if (typeof token === 'string' || !iss || !aud || !jwksUrl) return { claims: null, faults };
    const nowSeconds = this.clock.timestamp() / 1_000;
    faults.push(...claimFaults(token.claims, { issuer: iss, audience: aud, nowSeconds }));
    faults.push(...(await this.signatureFaults(token, jwksUrl)));
    return faults.length === 0 ? { claims: token.claims, faults: [] } : { claims: null, faults };
  }

  private async signatureFaults(token: SignedToken, jwksUrl: string): Promise<string[]> {
    const set = await this.keys.at(jwksUrl, (known) => known.find(token) === null);
    if (!(set instanceof KeySet)) return [`The key set (jwksUrl) ${FAILURES[set]}.`];
    const key = set.find(token);
    if (!key) return ['The key set (jwksUrl) has no key for this token.'];
    return isSignedBy(token, key) ? [] : ['The signature does not fit the token and the key.'];
  }
}
