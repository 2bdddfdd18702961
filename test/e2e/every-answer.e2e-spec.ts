import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { STANDARD_HEADERS } from '../../src/common/http/headers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { operations } from '../support/surface/operations.js';
import { RawClient, type RawAnswer, type RawRequest } from '../support/surface/raw-client.js';
import { World } from '../support/world.js';

/** OWASP, HTTP Security Response Headers; written down here again, so that nobody removes one unseen. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  'strict-transport-security': /^max-age=31536000; includeSubDomains$/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cache-control': /^(no-store|public, max-age=\d+)$/,
  'x-request-id': /^[\w.:-]{8,128}$/,
};

const missingIn = ({ headers }: Pick<RawAnswer, 'headers'>): string[] =>
  Object.entries(EXPECTED)
    .filter(([name, form]) => !form.test(String(headers[name] ?? '')))
    .map(([name]) => name);

describe('every answer', () => {
  let test: TestApp;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api', API_DOCS: 'true' } });
    world = await World.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await test.close();
  });

  const users = (): string => `/api/v0${world.path('/users')}`;

  const KINDS: readonly [name: string, status: number, request: () => RawRequest][] = [
    ['a result', 200, () => ({ method: 'GET', path: users(), token: world.token })],
    ['an answer to HEAD', 200, () => ({ method: 'HEAD', path: users(), token: world.token })],
    ['a result that anyone may keep', 200, () => ({ method: 'GET', path: jwks() })],
    [
      'no content',
      204,
      () => ({ method: 'OPTIONS', path: `/api/v0/sdk/${world.environmentId}/session`, headers: preflight }),
    ],
    ['a creation', 201, () => ({ method: 'POST', path: users(), token: world.token, body: '{"alias":"a"}' })],
    ['a refusal', 401, () => ({ method: 'GET', path: users() })],
    ['an unreadable body', 400, () => ({ method: 'POST', path: users(), token: world.token, body: '{' })],
    [
      'a body of another type',
      415,
      () => ({ method: 'POST', path: users(), headers: { 'content-type': 'a/b' }, body: 'x' }),
    ],
    [
      'a body that is too long',
      413,
      () => ({ method: 'POST', path: users(), token: world.token, body: 'x'.repeat(200_000) }),
    ],
    ['an escape that means nothing', 404, () => ({ method: 'GET', path: '/api/v0/sdk/%E0%A4%A/session' })],
    ['an unknown path', 404, () => ({ method: 'GET', path: '/nothing' })],
    ['an unknown operation', 404, () => ({ method: 'GET', path: '/api/v0/nothing' })],
    ['a wrong method', 405, () => ({ method: 'PATCH', path: users(), token: world.token })],
    ['liveness', 200, () => ({ method: 'GET', path: '/healthz' })],
    ['readiness', 200, () => ({ method: 'GET', path: '/readyz' })],
    ['a page', 200, () => ({ method: 'GET', path: '/docs' })],
    ['a file of a page', 200, () => ({ method: 'GET', path: '/pages/style.css' })],
    ['a redirection', 302, () => ({ method: 'GET', path: '/' })],
  ];
  const preflight = { origin: 'https://other.example', 'access-control-request-method': 'GET' };
  const jwks = (): string => `/api/v0/sdk/${world.environmentId}/.well-known/jwks`;

  it.each(KINDS)('has its security headers and its id: %s', async (_, status, request) => {
    const answer = await client.send(request());
    expect([answer.status, missingIn(answer)]).toEqual([status, []]);
  });

  it('would be detected without them: each header is checked', () => {
    const headers = Object.fromEntries([...STANDARD_HEADERS].map(([name, value]) => [name.toLowerCase(), value]));
    const whole = { ...headers, 'x-request-id': randomUUID() };
    expect(missingIn({ headers: whole })).toEqual([]);
    expect(missingIn({ headers: {} })).toEqual(Object.keys(EXPECTED));
    for (const name of Object.keys(EXPECTED))
      expect(missingIn({ headers: { ...whole, [name]: undefined } })).toEqual([name]);
  });

  it('to one request on a connection has them, as does the next', async () => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    const asked = 'GET /healthz HTTP/1.1\r\nHost: a\r\n';
    socket.end(`${asked}\r\n${asked}Connection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text.match(/x-content-type-options: nosniff/gi)).toHaveLength(2);
    expect(new Set(text.match(/x-request-id: \S+/gi)).size).toBe(2);
  });
});

describe('a request for no operation', () => {
  let test: TestApp;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await test.close();
  });

  it('gets an error with the paths it may have meant', async () => {
    const answer = await client.send({ method: 'GET', path: `/api/v0${world.path('/user')}`, token: world.token });
    expect(answer.status).toBe(404);
    const { code, hint, payload, docUrl } = answer.body as Record<string, unknown>;
    expect({ code, hint, docUrl }).toEqual({
      code: 'unknown_operation',
      hint: expect.stringContaining('payload.nearest'),
      docUrl: expect.stringContaining('/docs/errors/unknown_operation'),
    });
    expect((payload as { nearest: string[] }).nearest[0]).toBe('GET|POST /api/v0/environments/{environmentId}/users');
  });

  it('with an unsupported method gets the supported ones', async () => {
    for (const { path, method } of operations) {
      const asked = path.replaceAll(/\{\w+\}/g, 'x');
      const answer = await client.send({ method: 'TRACE', path: asked });
      const allowed = String(answer.headers['allow']).split(', ');
      expect([path, answer.status, (answer.body as { code: string }).code]).toEqual([path, 405, 'method_not_allowed']);
      expect(allowed).toContain(method);
      expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'));
    }
  });

  it('does not take a foreign id for an unknown path', async () => {
    const answer = await client.send({
      method: 'GET',
      path: `/api/v0${world.path(`/users/${randomUUID()}`)}`,
      token: world.token,
    });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([404, 'not_found']);
  });

  it.each(['/nothing', '//api/v0/organizations', '/api/v00/x', '/api', '/apiv0'])(
    'outside the API (%s) finds nothing, and looks nothing up',
    async (path) => {
      const answer = await client.send({ method: 'GET', path });
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([404, 'unknown_operation']);
    },
  );

  it.each(['', '/api', '/v0', '/api/v1'])(
    'with another prefix (%s) gets the path with the right one',
    async (prefix) => {
      const path = `${prefix}/sdk/${world.environmentId}/emailVerifications/create`;
      const answer = await client.send({ method: 'POST', path });
      const { code, payload } = answer.body as { code: string; payload?: { nearest: string[] } };
      expect([answer.status, code, payload?.nearest[0]]).toEqual([
        404,
        'unknown_operation',
        'POST /api/v0/sdk/{environmentId}/emailVerifications/create',
      ]);
    },
  );

  it.each([
    ['true', 302, '/docs'],
    ['false', 404, undefined],
  ])('for the root is redirected to the docs if they are served (API_DOCS=%s)', async (docs, status, location) => {
    const own = await startTestApp({ env: { ROLE: 'api', API_DOCS: docs } });
    const raw = new RawClient(own.url);
    const answer = await raw.send({ method: 'GET', path: '/' });
    raw.close();
    await own.close();
    expect([answer.status, answer.headers['location']]).toEqual([status, location]);
  });
});
