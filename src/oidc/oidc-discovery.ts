import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { EgressPolicy, OutboundError, OutboundHttp, tenantFailure, type OutboundResult } from '../outbound/index.js';
import type { SecretMethod } from './client-authentication.js';
import { DiscoveryError, type DiscoveryReason } from './discovery-error.js';
import { isSecure } from './secure-address.js';
import { ALLOWED_ALGORITHMS } from './signed-token.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const MAX_KNOWN = 1_000;
const TTL_MS = 10 * 60_000;
const ENDPOINTS = ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri'] as const;

/** The part of a provider's configuration that sign-in needs. */
export interface DiscoveredProvider {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksUri: string;
  userinfoEndpoint: string | null;
  /** Only asymmetric ones: with an HMAC, anyone who knows the client secret could forge tokens. */
  algorithms: string[];
  /** How its token endpoint takes a client secret, of the ways that are sent; null if it does not say. */
  secretMethods: SecretMethod[] | null;
  /** Whether it takes authorization requests only if they were pushed before (RFC 9126), which ours are not. */
  requiresPushedRequests: boolean;
  /** Whether its answers name their issuer (RFC 9207). */
  namesIssuerInAnswers: boolean;
}

/** By their names in the document (OpenID Connect Core 1.0 section 9). */
const SECRET_METHODS = new Map<unknown, SecretMethod>([
  ['client_secret_basic', 'basic'],
  ['client_secret_post', 'post'],
]);

/** Reads the configuration of identity providers (OpenID Connect Discovery 1.0 section 4). */
@Injectable()
export class OidcDiscovery {
  private readonly known = new LRUCache<string, { provider: Promise<DiscoveredProvider>; at: number }>({
    max: MAX_KNOWN,
  });

  constructor(
    private readonly http: OutboundHttp,
    private readonly policy: EgressPolicy,
    private readonly clock: Clock,
  ) {}

  /** The configuration, at most ten minutes old; concurrent callers share one request. @throws DiscoveryError */
  recent(issuer: string): Promise<DiscoveredProvider> {
    const known = this.known.get(issuer);
    if (known && this.clock.timestamp() - known.at < TTL_MS) return known.provider;
    const asked = { provider: this.discover(issuer), at: this.clock.timestamp() };
    this.known.set(issuer, asked);
    asked.provider.catch(() => {
      if (this.known.get(issuer) === asked) this.known.delete(issuer);
    });
    return asked.provider;
  }

  /** Fetches the configuration without the cache. @throws DiscoveryError */
  async discover(issuer: string): Promise<DiscoveredProvider> {
    const url = configurationUrlOf(issuer);
    const fail = (reason: DiscoveryReason, hint?: string): Error => new DiscoveryError(reason, url, hint);
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
    return { ...found, userinfoEndpoint: this.isUsable(found.userinfoEndpoint ?? '') ? found.userinfoEndpoint : null };
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

/** Where an issuer publishes its configuration (OpenID Connect Discovery 1.0 section 4). */
export const configurationUrlOf = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

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
  const methods = document['token_endpoint_auth_methods_supported'];
  return {
    issuer,
    authorizationEndpoint: text('authorization_endpoint'),
    tokenEndpoint: text('token_endpoint'),
    jwksUri: text('jwks_uri'),
    userinfoEndpoint: text('userinfo_endpoint') || null,
    // Not the other way round: what is no text may have no form as one.
    algorithms: Array.isArray(offered) ? ALLOWED_ALGORITHMS.filter((name) => offered.includes(name)) : [],
    secretMethods: Array.isArray(methods) ? methods.flatMap((name) => SECRET_METHODS.get(name) ?? []) : null,
    requiresPushedRequests: document['require_pushed_authorization_requests'] === true,
    namesIssuerInAnswers: document['authorization_response_iss_parameter_supported'] === true,
  };
}

const includes = (list: unknown, value: string): boolean => Array.isArray(list) && list.includes(value);
