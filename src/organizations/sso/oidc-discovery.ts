import { Injectable } from '@nestjs/common';
import { EgressPolicy, OutboundError, OutboundHttp, type OutboundResult, tenantFailure } from '../../outbound/index.js';
import { isSecure } from './issuer.js';
import { ssoDiscoveryFailed } from './sso-provider.errors.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const ENDPOINTS = ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri'] as const;
/** Asymmetric ones: a provider that signs with the client secret would have us trust whoever knows it. */
const ALGORITHMS = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']);

/** What a provider says of itself, as far as signing in needs it. */
export interface DiscoveredProvider {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksUri: string;
  algorithms: string[];
}

/** Reads the configuration of identity providers (OpenID Connect Discovery 1.0 §4). */
@Injectable()
export class OidcDiscovery {
  constructor(
    private readonly http: OutboundHttp,
    private readonly policy: EgressPolicy,
  ) {}

  /** @throws ssoDiscoveryFailed whose payload tells the reason, and nothing of the network inside */
  async discover(issuer: string): Promise<DiscoveredProvider> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const fail = (reason: string, hint?: string): Error =>
      ssoDiscoveryFailed({ payload: { reason, url }, ...(hint && { hint }) });
    const response = await this.fetch(url).catch((error: unknown) => {
      throw error instanceof OutboundError ? fail(tenantFailure(error.kind)) : error;
    });
    if (response.status !== 200) throw fail('status', `The address answered with status ${response.status}.`);
    if (response.truncated) throw fail('too_long', `The document has more than ${MAX_BYTES / 1024} KB.`);
    const document = parseObject(response.body);
    if (!document) throw fail('document', 'The answer is not a JSON object.');
    if (document['issuer'] !== issuer) throw fail('issuer', `The document must name ${issuer} as its issuer.`);
    const found = readConfiguration(issuer, document);
    const wrong = ENDPOINTS.find((name) => !this.isUsable(found[name]));
    if (wrong) throw fail('endpoint', `The document has no usable https address for ${wrong}.`);
    if (!includes(document['response_types_supported'], 'code')) {
      throw fail('response_type', 'The provider must support the response type code.');
    }
    if (found.algorithms.length === 0) throw fail('algorithm', 'The provider must sign with an asymmetric algorithm.');
    return found;
  }

  private fetch(url: string): Promise<OutboundResult> {
    const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES };
    return this.http.send({ method: 'GET', url, headers: { accept: 'application/json' }, ...limits });
  }

  private isUsable(text: string): boolean {
    const verdict = this.policy.checkUrl(text);
    return verdict.allowed && isSecure(verdict.url);
  }
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function readConfiguration(issuer: string, document: Record<string, unknown>): DiscoveredProvider {
  const text = (name: string): string => (typeof document[name] === 'string' ? document[name] : '');
  const offered = document['id_token_signing_alg_values_supported'];
  return {
    issuer,
    authorizationEndpoint: text('authorization_endpoint'),
    tokenEndpoint: text('token_endpoint'),
    jwksUri: text('jwks_uri'),
    algorithms: Array.isArray(offered) ? offered.filter((name): name is string => ALGORITHMS.has(String(name))) : [],
  };
}

const includes = (list: unknown, value: string): boolean => Array.isArray(list) && list.includes(value);
