import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import { RouteGroups } from './route-groups.js';

/** Words before variables, which is the order that the groups make of any order. */
const PATHS = [
  '/api/v0/sdk/:environmentId/session',
  '/api/v0/sdk/:environmentId/users/me',
  '/api/v0/sdk/:environmentId/users/me/late',
  '/api/v0/sdk/:environmentId/users/:userId',
  '/api/v0/sdk/:environmentId/:anything/late',
  '/api/v0/sdk/:environmentId/:anything',
  '/api/v0/user/tokens/all',
  '/api/v0/user/tokens/:tokenId',
  '/api/v0/projects/:projectId',
  '/api/v0/organizations',
  '/api/v0/rooms/:roomId/doors{/:doorId}/keys',
  '/api/v0/rooms/:roomId/*rest',
  '/api/v0/files/*path',
];

/** Whatever a client may make of a path. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace('/v0/', '/v0//'),
  (path) => path.replace(/[a-z](?=\w*$)/, '%61'),
  (path) => path.replace('/a1', '/%611'),
  (path) => path.replace('/a1', '/a%2Fb'),
  (path) => path.replace('/a1', '/'),
  (path) => path.replace('/a1', '/..'),
  (path) => path.replace('/a1', '/a;b=c'),
  (path) => path.replace('api', '%61pi'),
  (path) => `${path}?a=/b`,
  (path) => `${path}/more`,
  (path) => `${path}/more/and/more`,
  (path) => path.replace('/doors/a1', '/doors'),
  (path) => path.slice(0, -1),
  (path) => path.replace('/v0/', '/v0/./'),
];

const answer =
  (name: string): RequestHandler =>
  (request, response) => {
    response.json({ name, ...request.params });
  };

describe('operations in groups', () => {
  const servers: { close(): void }[] = [];
  let grouped: string;
  let plain: string;

  const listen = (app: Express): Promise<string> =>
    new Promise((ready) => {
      const server = app.listen(0, '127.0.0.1', () =>
        ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
      servers.push(server);
    });
  const nothing: RequestHandler = (_request, response) => void response.status(404).json({ name: 'nothing' });

  beforeAll(async () => {
    const [one, other] = [express(), express()];
    const groups = new RouteGroups();
    one.use(groups.handle);
    for (const path of PATHS) {
      groups.routerFor(path)?.get(path, answer(path));
      other.get(path, answer(path));
    }
    groups.routerFor('/api/v0/failures')?.get('/api/v0/failures', () => Promise.reject(new Error('on purpose')));
    groups.routerFor('/api/v0/user/:any/late')?.get('/api/v0/user/:any/late', answer('late'));
    one.use(nothing);
    other.use(nothing);
    grouped = await listen(one);
    plain = await listen(other);
  });
  afterAll(() => servers.forEach((server) => server.close()));

  const ask = async (origin: string, path: string, method = 'GET'): Promise<unknown> => {
    const response = await fetch(`${origin}${path}`, { method });
    return [response.status, response.headers.get('allow'), await response.text()];
  };

  it.each(PATHS)('%s is found wherever Express alone would find it', async (path) => {
    const asked = path.replaceAll(/[{}]/g, '').replaceAll(/[:*]\w+/g, 'a1');
    for (const spell of SPELLINGS) {
      const spelled = spell(asked);
      for (const method of ['GET', 'POST'])
        expect([spelled, await ask(grouped, spelled, method)]).toEqual([spelled, await ask(plain, spelled, method)]);
    }
  });

  it.each([
    ['/api/v0/user/tokens/:tokenId', '/api/v0/user/tokens/all'],
    ['/api/v0/sdk/x/wallets/:walletId', '/api/v0/sdk/x/wallets/policies'],
  ])('a word is preferred to a variable that was registered before it: %s', async (variable, word) => {
    const groups = new RouteGroups();
    for (const path of [variable, word]) groups.routerFor(path)?.get(path, answer(path));
    const app = express();
    app.use(groups.handle);
    expect(await ask(await listen(app), word)).toEqual([200, null, JSON.stringify({ name: word })]);
  });

  it('their methods are told to whoever asks for them (RFC 9110 §9.3.7)', async () => {
    expect(await ask(grouped, '/api/v0/organizations', 'OPTIONS')).toEqual([200, 'GET, HEAD', 'GET, HEAD']);
  });

  it('failures of handlers are those of Express', async () => {
    expect((await fetch(`${grouped}/api/v0/failures`)).status).toBe(500);
  });

  it('what is no operation has no group', () => {
    const groups = new RouteGroups();
    for (const path of ['/healthz', '/api/v0/:any/thing', /x/, undefined]) expect(groups.routerFor(path)).toBeNull();
  });
});
