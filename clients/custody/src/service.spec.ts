import { describe, expect, it } from '@jest/globals';
import { httpBackups, httpRooms, httpSignatures, httpWalletSecrets, ServiceError, type Deployment } from './index.js';

const AT: Deployment = { baseUrl: 'https://gatehouse.example/', environmentId: 'e', token: 't' };
const SHARES = { walletId: 'w' };

/** One call of each kind, through `send`. */
const CALLS: readonly [string, (send: typeof fetch) => Promise<unknown>][] = [
  ['a message', (send) => httpRooms(AT, send).post('r', { type: 'sign.shares' })],
  ['messages', (send) => httpRooms(AT, send).read('r', 1)],
  ['a signature', (send) => httpSignatures(AT, send)('w', { message: 'I agree.' })],
  ['a backup', (send) => httpBackups(AT, send).store(SHARES, ['a copy'], true)],
  ['a recovery', (send) => httpBackups(AT, send).recover('w')],
  ['a passcode', (send) => httpWalletSecrets(AT, send).passcode()],
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
