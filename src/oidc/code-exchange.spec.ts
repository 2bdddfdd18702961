import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressPolicy, GuardedDispatcher, OutboundHttp } from '../outbound/index.js';
import { CodeExchange, type OAuthClient } from './code-exchange.js';

const GOOD = { access_token: 'at', token_type: 'Bearer', expires_in: 60, refresh_token: 'rt', scope: 'openid' };
const ANSWER = { code: 'c0de', redirectUri: 'https://app.example/redirect', codeVerifier: 'v'.repeat(43) };

describe('the code grant at a provider', () => {
  let server: Server;
  let http: OutboundHttp;
  let exchange: CodeExchange;
  let client: OAuthClient;
  let answer: (response: ServerResponse) => void;
  const received: { body: URLSearchParams; authorization: string | undefined; url: string }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { authorization } = request.headers;
        received.push({ body: new URLSearchParams(body), authorization, url: request.url ?? '' });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const policy = new EgressPolicy('127.0.0.0/8', { allowHttp: false, allowIpLiterals: false });
    http = new OutboundHttp(policy, new GuardedDispatcher(policy));
    exchange = new CodeExchange(http);
    client = {
      issuer: origin,
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      clientId: 'client',
      authentication: { kind: 'basic', secret: 's3cret' },
    };
  });
  beforeEach(() => {
    received.length = 0;
    answer = json(GOOD);
  });
  afterAll(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const json =
    (body: object, status = 200) =>
    (response: ServerResponse): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  const failureOf = async (work: Promise<unknown>): Promise<Record<string, unknown>> =>
    work.then(
      () => ({ failure: 'none' }),
      (error: Record<string, unknown>) => error,
    );

  it('begins at an address with state, nonce and a challenge by SHA-256', () => {
    const codeChallenge = createHash('sha256').update(ANSWER.codeVerifier).digest('base64url');
    const request = { redirectUri: ANSWER.redirectUri, state: 's', codeChallenge, nonce: 'n', scope: 'openid email' };
    const url = new URL(exchange.authorizationUrl(client, { ...request, extra: { prompt: 'login' } }));
    expect(url.origin + url.pathname).toBe(client.authorizationEndpoint);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'client',
      response_type: 'code',
      redirect_uri: ANSWER.redirectUri,
      state: 's',
      scope: 'openid email',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      nonce: 'n',
      prompt: 'login',
    });
  });

  it('trades the code for tokens and takes the id token out', async () => {
    answer = json({ ...GOOD, id_token: 'not.looked.at', user_id: 7 });
    await expect(exchange.exchange(client, ANSWER)).resolves.toMatchObject({
      accessToken: 'at',
      refreshToken: 'rt',
      idToken: 'not.looked.at',
      expiresInSeconds: 60,
      rest: { user_id: 7 },
    });
    expect(Object.fromEntries(received[0]!.body)).toEqual({
      grant_type: 'authorization_code',
      code: 'c0de',
      redirect_uri: ANSWER.redirectUri,
      code_verifier: ANSWER.codeVerifier,
    });
    expect(received[0]!.authorization).toBe(`Basic ${Buffer.from('client:s3cret').toString('base64')}`);
  });

  it('sends the secret in the form, by another name, or not at all, as the provider wants it', async () => {
    await exchange.exchange({ ...client, authentication: { kind: 'post', secret: 's3cret' } }, ANSWER);
    const fields = { client_key: 'client', client_secret: 's3cret' };
    await exchange.exchange({ ...client, authentication: { kind: 'form', fields } }, ANSWER);
    await exchange.exchange({ ...client, authentication: { kind: 'none' } }, ANSWER);
    const [post, form, none] = received.map(({ body }) => Object.fromEntries(body));
    expect(post).toMatchObject({ client_id: 'client', client_secret: 's3cret' });
    expect([form!['client_key'], form!['client_id']]).toEqual(['client', undefined]);
    expect([none!['client_id'], none!['client_secret']]).toEqual(['client', undefined]);
  });

  it('takes of a list of scopes those that are texts, whatever else is in it', async () => {
    answer = json({ ...GOOD, scope: ['openid', { toString: null }, 7, 'email'] });
    await expect(exchange.exchange(client, ANSWER)).resolves.toMatchObject({ scope: 'openid email' });
  });

  it('refreshes', async () => {
    await exchange.refresh(client, 'rt');
    expect(Object.fromEntries(received[0]!.body)).toEqual({ grant_type: 'refresh_token', refresh_token: 'rt' });
  });

  it('compares the issuer that an answer names, before anything is sent (RFC 9207)', async () => {
    const mixedUp = await failureOf(exchange.exchange(client, { ...ANSWER, iss: 'https://evil.example' }));
    const missing = await failureOf(exchange.exchange({ ...client, namesIssuerInAnswers: true }, ANSWER));
    // Not a failure of the provider, which was not asked: anybody can send such an answer.
    const expected = { name: 'OidcError', failure: 'id_token' };
    expect([mixedUp, missing]).toMatchObject([expected, expected]);
    expect(received).toHaveLength(0);
    await exchange.exchange({ ...client, namesIssuerInAnswers: true }, { ...ANSWER, iss: client.issuer });
    expect(received).toHaveLength(1);
  });

  it.each<[what: string, failure: string, (response: ServerResponse) => void]>([
    ['a refusal', 'refused', json({ error: 'invalid_grant' }, 400)],
    ['a refusal with status 200', 'refused', json({ error: 'bad_verification_code' })],
    ['a challenge alone', 'refused', (r) => r.writeHead(401, { 'www-authenticate': 'Basic realm="tokens"' }).end()],
    ['a challenge and a page', 'refused', (r) => r.writeHead(403, { 'www-authenticate': 'Bearer' }).end('<html>')],
    ['a status that HTTP does not have', 'unreachable', (r) => r.writeHead(999).end()],
    ['a redirect', 'unreachable', (r) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['a page', 'unreachable', (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['text that is not JSON', 'unreachable', (r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{')],
    ['no access token', 'unreachable', json({ token_type: 'bearer' })],
    ['a token of another type', 'unreachable', json({ ...GOOD, token_type: 'mac' })],
    ['more than 256 KB', 'unreachable', json({ ...GOOD, padding: 'x'.repeat(256 * 1024) })],
    ['a broken connection', 'unreachable', (r) => r.destroy()],
  ])('fails with %s', async (_, failure, given) => {
    answer = given;
    const error = await failureOf(exchange.exchange(client, ANSWER));
    expect(error).toMatchObject({ name: 'OidcError', failure });
    expect(received).toHaveLength(1);
  });

  it('says nothing of what a provider repeats', async () => {
    answer = json({ error: 's3cret c0de', error_description: 's3cret c0de' }, 400);
    const error = await failureOf(exchange.exchange(client, ANSWER));
    expect(`${String(error['message'])} ${String((error['cause'] as Error | undefined)?.message)}`).not.toMatch(
      /s3cret|c0de/,
    );
  });

  it('ends after 5 seconds', async () => {
    let handed: { timeoutMs?: number; maxResponseBytes?: number } = {};
    const slow = {
      send: async (request: typeof handed) => ((handed = request), Promise.reject(new TypeError('stop'))),
    };
    await failureOf(new CodeExchange(slow as unknown as OutboundHttp).exchange(client, ANSWER));
    expect([handed.timeoutMs, handed.maxResponseBytes]).toEqual([5_000, 262_144]);
  });

  it('goes nowhere that the guard forbids', async () => {
    const closed = new EgressPolicy('', { allowHttp: false, allowIpLiterals: false });
    const guarded = new OutboundHttp(closed, new GuardedDispatcher(closed));
    const error = await failureOf(new CodeExchange(guarded).exchange(client, ANSWER));
    expect([error['failure'], error['message'], received.length]).toEqual(['unreachable', 'blocked', 0]);
    await guarded.close();
  });
});
