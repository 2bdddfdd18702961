import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '../common/clock.js';
import { EgressPolicy, OutboundError, type OutboundHttp } from '../outbound/index.js';
import { OidcDiscovery } from './oidc-discovery.js';

const ISSUER = 'https://issuer.example';
const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  userinfo_endpoint: 'http://issuer.example/me',
  response_types_supported: ['code'],
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
};

describe('the configuration of an identity provider', () => {
  let now: number;
  let requests: number;
  let answer: () => { status?: number; truncated?: boolean; text?: string };
  let discovery: OidcDiscovery;

  beforeEach(() => {
    [now, requests] = [1_000_000, 0];
    answer = () => ({});
    const send = async () => {
      requests++;
      const { status = 200, truncated = false, text = JSON.stringify(DOCUMENT) } = answer();
      return { status, headers: {}, body: Buffer.from(text), truncated, durationMs: 1 };
    };
    discovery = new OidcDiscovery(
      { send } as Partial<OutboundHttp> as OutboundHttp,
      new EgressPolicy('', { allowHttp: true, allowIpLiterals: false }),
      { timestamp: () => now } as Partial<Clock> as Clock,
    );
  });

  it('is kept for ten minutes, and asked for once by all who ask at once', async () => {
    await Promise.all(Array.from({ length: 50 }, () => discovery.recent(ISSUER)));
    now += 10 * 60_000 - 1;
    await discovery.recent(ISSUER);
    expect(requests).toBe(1);
    now += 1;
    await discovery.recent(ISSUER);
    expect(requests).toBe(2);
  });

  it('is asked for again at once after a failure, which is not kept', async () => {
    answer = () => {
      throw new OutboundError('timeout', 'no complete answer');
    };
    await expect(discovery.recent(ISSUER)).rejects.toMatchObject({ name: 'DiscoveryError', reason: 'timeout' });
    answer = () => ({});
    expect(await discovery.recent(ISSUER)).toMatchObject({ issuer: ISSUER, algorithms: ['RS256'] });
  });

  it('takes the algorithms that are texts, whatever else is listed', async () => {
    const offered = [{ toString: null }, ['RS256'], 7, null, 'ES256'];
    answer = () => ({ text: JSON.stringify({ ...DOCUMENT, id_token_signing_alg_values_supported: offered }) });
    expect((await discovery.discover(ISSUER)).algorithms).toEqual(['ES256']);
  });

  it.each<[unknown, unknown]>([
    [undefined, null],
    ['client_secret_post', null],
    [
      ['private_key_jwt', 'client_secret_post', 7, 'client_secret_basic'],
      ['post', 'basic'],
    ],
    [['none'], []],
  ])('takes a secret as its methods %j say: %j', async (methods, expected) => {
    answer = () => ({ text: JSON.stringify({ ...DOCUMENT, token_endpoint_auth_methods_supported: methods }) });
    expect((await discovery.discover(ISSUER)).secretMethods).toEqual(expected);
  });

  it('has no endpoint of plain http, though the network would let a request through', async () => {
    expect((await discovery.recent(ISSUER)).userinfoEndpoint).toBeNull();
    answer = () => ({ text: JSON.stringify({ ...DOCUMENT, token_endpoint: 'http://issuer.example/token' }) });
    await expect(discovery.discover(ISSUER)).rejects.toMatchObject({ reason: 'endpoint' });
  });

  it.each([
    ['issuer', { issuer: `${ISSUER}/` }],
    ['response_type', { response_types_supported: ['token'] }],
    ['algorithm', { id_token_signing_alg_values_supported: ['HS256', 'none'] }],
  ])('is refused for its %s', async (reason, change) => {
    answer = () => ({ text: JSON.stringify({ ...DOCUMENT, ...change }) });
    await expect(discovery.discover(ISSUER)).rejects.toMatchObject({ reason });
  });

  it.each([
    ['status', { status: 302 }],
    ['too_long', { truncated: true }],
    ['document', { text: '[]' }],
  ])('is refused as it comes: %s', async (reason, given) => {
    answer = () => given;
    await expect(discovery.discover(ISSUER)).rejects.toMatchObject({ reason });
  });
});
