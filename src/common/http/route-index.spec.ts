import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { RouteIndex } from './route-index.js';

describe('the index of routes', () => {
  const index = new RouteIndex();
  const app = express();
  let server: ReturnType<typeof app.listen>;
  const answer =
    (name: string): RequestHandler =>
    (request, response) => {
      response.json({ name, ...request.params });
    };

  beforeAll(async () => {
    for (const path of [
      '/api/v0/sdk/:environmentId/session',
      '/api/v0/sdk/:environmentId/users/:userId',
      '/api/v0/sdk/:environmentId/users/me',
      '/api/v0/user/tokens/:tokenId',
      '/api/v0/user/tokens/all',
      '/api/v0/projects/:projectId',
      '/api/v0/organizations',
    ]) {
      const handler = answer(path.slice('/api/v0/'.length));
      index.add('get', path, handler)?.get(path, handler);
    }
    index.add('get', '/api/v0/failures', () => Promise.reject(new Error('on purpose')));
    app.use(index.handle);
    app.get('/healthz', answer('healthz'));
    app.use((_request, response) => void response.status(404).json({ name: 'nothing' }));
    await new Promise<void>((resolve) => (server = app.listen(0, '127.0.0.1', () => resolve())));
  });

  afterAll(() => void server.close());

  const ask = async (path: string, method = 'GET'): Promise<unknown> => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return response.json();
  };

  it.each([
    ['/api/v0/sdk/1/session', { name: 'sdk/:environmentId/session', environmentId: '1' }],
    ['/API/V0/SDK/1/Session/?a=b', { name: 'sdk/:environmentId/session', environmentId: '1' }],
    ['/api/v0/projects/7', { name: 'projects/:projectId', projectId: '7' }],
    ['/api/v0/organizations', { name: 'organizations' }],
    ['/api/v0/sdk/AbC/users/X?y=/z', { name: 'sdk/:environmentId/users/:userId', environmentId: 'AbC', userId: 'X' }],
    ['/api/v0/sdk/a%2Fb/session', { name: 'sdk/:environmentId/session', environmentId: 'a/b' }],
    ['/healthz', { name: 'healthz' }],
  ])('finds %s', async (path, found) => {
    expect(await ask(path)).toEqual(found);
  });

  it('prefers a word to a variable that was registered before it', async () => {
    expect(await ask('/api/v0/user/tokens/all')).toEqual({ name: 'user/tokens/all' });
    expect(await ask('/api/v0/user/tokens/9')).toEqual({ name: 'user/tokens/:tokenId', tokenId: '9' });
  });

  it('keeps the order of registration within a group', async () => {
    expect(await ask('/api/v0/sdk/1/users/me')).toMatchObject({ userId: 'me' });
  });

  it.each([
    '/api/v0',
    '/api/v0/sdk/1',
    '/api/v0/sdk//session',
    '/api/v0/sdk/1/session//',
    '/api/v0/sdk/1/users/2/3',
    '//api/v0/sdk/1/session',
    '/%61pi/v0/sdk/1/session',
  ])('finds nothing at %s', async (path) => {
    expect(await ask(path)).toEqual({ name: 'nothing' });
  });

  it('answers methods that follow from others as Express does, and failures of handlers as well', async () => {
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    expect((await fetch(`${origin}/api/v0/organizations`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${origin}/api/v0/organizations`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${origin}/api/v0/sdk/%E0%A4%A/session`)).status).toBe(400);
    expect((await fetch(`${origin}/api/v0/failures`)).status).toBe(500);
  });

  it('has no place for what is no operation', () => {
    for (const path of ['/healthz', '/api/v0/:any/thing', /x/, undefined])
      expect(index.add('get', path, answer('x'))).toBeNull();
  });
});
