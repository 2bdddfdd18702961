import { describe, expect, it } from '@jest/globals';
import { httpBackups, httpRooms, httpSignatures, httpWalletSecrets, ServiceError, type Deployment } from './index.js';

const AT: Deployment = { baseUrl: 'https://gatehouse.example/', environmentId: 'e', token: 't' };
const SHARES = { walletId: 'w' };

/** One call of each kind, through `send`. */
const CALLS: readonly [string, (send: typeof fetch, at?: Deployment) => Promise<unknown>][] = [
  ['a message', (send, at = AT) => httpRooms(at, send).post('r', { type: 'sign.shares' })],
  ['messages', (send, at = AT) => httpRooms(at, send).read('r', 1)],
  ['a signature', (send, at = AT) => httpSignatures(at, send)('w', { message: 'I agree.' })],
  ['a backup', (send, at = AT) => httpBackups(at, send).store(SHARES, ['a copy'], true)],
  ['a recovery', (send, at = AT) => httpBackups(at, send).recover('w')],
  ['a passcode', (send, at = AT) => httpWalletSecrets(at, send).passcode()],
];

const answering =
  (body: string, init: ResponseInit): typeof fetch =>
  () =>
    Promise.resolve(new Response(body, init));

describe.each(CALLS)('a call over HTTP: %s', (_, call) => {
  it('that is refused says which error it was, and when to try again', async () => {
    const body = JSON.stringify({ error: 'Too many requests.', code: 'too_many_requests' });
    const refused = call(answering(body, { status: 429, headers: { 'retry-after': '7' } }));
    await expect(refused).rejects.toThrow(ServiceError);
    await expect(refused).rejects.toMatchObject({
      message: 'Too many requests.',
      status: 429,
      code: 'too_many_requests',
      retryAfterSeconds: 7,
    });
  });

  it.each([502, 200])(
    'that is answered with a page of a balancer, with status %d, does not say so in JSON',
    async (status) => {
      const page = answering('<html>Bad gateway</html>', { status, headers: { 'content-type': 'text/html' } });
      const message = `The service did not answer; the response has status ${status}.`;
      const failed = { name: 'ServiceError', message, status, code: null, retryAfterSeconds: null };
      await expect(call(page)).rejects.toMatchObject(failed);
    },
  );

  it('carries the token, if there is one: a session in a cookie has none that a page could give', async () => {
    const given: (string | null)[] = [];
    const send: typeof fetch = (_url, init) => {
      given.push(new Headers(init?.headers).get('authorization'));
      return Promise.resolve(Response.json({ walletId: 'w', secret: 's' }));
    };
    await call(send, AT);
    await call(send, { baseUrl: AT.baseUrl, environmentId: 'e' });
    expect([...new Set(given)]).toEqual(['Bearer t', null]);
  });

  it('goes to the same address whether or not that of the deployment ends with a slash', async () => {
    const urls: string[] = [];
    const send: typeof fetch = (url) => {
      urls.push(url as string);
      return Promise.resolve(Response.json({ walletId: 'w', secret: 's' }));
    };
    await call(send);
    expect(urls[0]).toMatch(/^https:\/\/gatehouse\.example\/api\/v0\/sdk\/e\/(waas|users)\//);
  });
});
