import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { newId } from '../../src/common/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

const ORIGIN = 'https://app.example.com';
const FLAGS = ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'];

interface Cookie {
  name: string;
  value: string;
  attributes: string[];
  text: string;
}

function cookieOf(headers: Headers): Cookie {
  const all = headers.getSetCookie();
  expect(all).toHaveLength(1);
  const [pair = '', ...attributes] = all[0]!.split('; ');
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes, text: all[0]! };
}

describe('an environment that keeps its sessions in a cookie', () => {
  let test: TestApp;
  let world: World;
  let name: string;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api', PUBLIC_URL: 'https://id.example.com' } });
    world = await World.create(test);
    name = `__Host-gatehouse-${world.environmentId}`;
    const { environmentId } = world;
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings, '{security,auth,storage}', '["cookie"]')
       WHERE environment_id = $1`,
      [environmentId],
    );
    for (const origin of [ORIGIN, 'https://*.preview.example.com']) {
      await rowsOf(test, 'INSERT INTO origins (environment_id, id, origin) VALUES ($1, $2, $3)', [
        environmentId,
        newId(),
        origin,
      ]);
    }
  });

  afterAll(() => test.close());

  const signIn = async (
    headers: Record<string, string> = { origin: ORIGIN },
  ): Promise<SignedIn & { cookie: Cookie }> => {
    const signedIn = await world.signIn(newEmail(), { headers });
    return { ...signedIn, cookie: cookieOf(signedIn.headers) };
  };
  const send = ({ name: known, value }: Cookie, headers: Record<string, string> = {}) => ({
    headers: { cookie: `${known}=${value}`, ...headers },
  });
  const check = (cookie: Cookie, headers?: Record<string, string>) =>
    world.anonymous.get<unknown>(world.sdk('/session'), send(cookie, headers));
  const refresh = (cookie: Cookie, headers?: Record<string, string>) =>
    world.anonymous.post<SignedIn['body'] & { code: string }>(world.sdk('/refresh'), undefined, send(cookie, headers));

  it('sends the small token in a __Host- cookie with all flags, and no token in the body', async () => {
    const { cookie, body, sessionId } = await signIn();
    expect(cookie.name).toBe(name);
    expect(cookie.attributes.filter((part) => !part.startsWith('Expires=')).toSorted()).toEqual(FLAGS);
    expect(cookie.text).not.toContain('Domain');
    expect(body).not.toHaveProperty('jwt');
    expect(body).not.toHaveProperty('minifiedJwt');
    expect(JSON.stringify(body)).not.toContain(cookie.value.split('.')[2]);
    const claims = decodeJwt(cookie.value);
    expect(claims).toMatchObject({ sid: sessionId, aud: ORIGIN });
    expect(claims).not.toHaveProperty('email');
    const expires = cookie.attributes.find((part) => part.startsWith('Expires='))!.slice('Expires='.length);
    expect(Date.parse(expires)).toBe(Number(body.expiresAt) * 1000);
  });

  it('keeps the cookie below 4096 bytes, however long origin and session key are', async () => {
    // As long as the name of a host may be (RFC 1035 §2.3.4).
    const origin = `https://${`${'a'.repeat(60)}.`.repeat(3)}${'a'.repeat(50)}.example.com`;
    await world.api.post(world.path('/origins'), { origin }, { expect: 201 });
    const sessionPublicKey = 'f'.repeat(512);
    const { headers } = await world.signIn(newEmail(), { headers: { origin }, sessionPublicKey });
    const { text, value } = cookieOf(headers);
    expect(decodeJwt(value)).toMatchObject({ session_public_key: sessionPublicKey, aud: origin });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  });

  it('takes the cookie for what only reads, from wherever it comes', async () => {
    const { cookie, userId } = await signIn();
    expect((await check(cookie)).status).toBe(204);
    expect((await check(cookie, { origin: 'https://evil.example' })).status).toBe(204);
    const { body } = await world.anonymous.get<{ id: string }>(world.sdk('/users'), send(cookie));
    expect(body.id).toBe(userId);
  });

  it('refuses the cookie for what changes something unless an allowed origin sends it', async () => {
    const { cookie } = await signIn();
    const refused: Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `${ORIGIN}.evil.example` },
      { origin: 'http://app.example.com' },
      { origin: 'https://preview.example.com' },
      { origin: 'https://a.b.preview.example.com' },
      { referer: `${ORIGIN}/page` },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { origin: ORIGIN, 'content-type': 'text/plain' },
      { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    ];
    for (const headers of refused) {
      const answer = await refresh(cookie, headers);
      expect([headers, answer.status, answer.body.code]).toEqual([headers, 403, 'cross_site_request']);
      expect(answer.headers.getSetCookie()).toEqual([]);
      if (headers['content-type']) continue;
      const update = { ...send(cookie, headers), body: { alias: 'mallory' } };
      expect((await world.anonymous.call<unknown>('PUT', world.sdk('/users'), update)).status).toBe(403);
    }
    const { body } = await world.anonymous.get<{ alias?: string }>(world.sdk('/users'), send(cookie));
    expect(body.alias).toBeUndefined();
  });

  it('takes it from an allowed origin, from one a wildcard allows, and from its own', async () => {
    for (const origin of [ORIGIN, 'https://pr-7.preview.example.com', 'https://id.example.com']) {
      const { cookie, sessionId } = await signIn();
      const answer = await refresh(cookie, { origin });
      expect(answer.status).toBe(200);
      expect(answer.body).not.toHaveProperty('jwt');
      expect(answer.body).not.toHaveProperty('minifiedJwt');
      const next = cookieOf(answer.headers);
      expect([next.name, next.attributes.filter((part) => !part.startsWith('Expires=')).toSorted()]).toEqual([
        name,
        FLAGS,
      ]);
      expect(decodeJwt(next.value)).toMatchObject({ sid: sessionId });
      expect(decodeJwt(next.value).jti).not.toBe(decodeJwt(cookie.value).jti);
      expect((await check(next)).status).toBe(204);
    }
  });

  it('changes the own profile by cookie and sends the cookie again', async () => {
    const { cookie } = await signIn();
    const update = { ...send(cookie, { origin: ORIGIN }), body: { alias: 'Ada' } };
    const answer = await world.anonymous.call<SignedIn['body']>('PUT', world.sdk('/users'), update);
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ alias: 'Ada' });
    expect(answer.body).not.toHaveProperty('jwt');
    expect((await check(cookieOf(answer.headers))).status).toBe(204);
  });

  it('clears the cookie at logout, and what it held is refused from then on', async () => {
    const { cookie } = await signIn();
    const path = world.sdk('/revoke');
    expect((await world.anonymous.post<unknown>(path, undefined, send(cookie))).status).toBe(403);
    expect((await check(cookie)).status).toBe(204);
    const answer = await world.anonymous.post<unknown>(path, undefined, send(cookie, { origin: ORIGIN }));
    expect(answer.status).toBe(204);
    const cleared = cookieOf(answer.headers);
    expect([cleared.name, cleared.value]).toEqual([name, '']);
    expect(cleared.attributes.toSorted()).toEqual([...FLAGS, 'Max-Age=0'].toSorted());
    expect((await check(cookie)).status).toBe(401);
  });

  it('refuses a cookie that is damaged, named otherwise, or there twice', async () => {
    const { cookie } = await signIn();
    const other = { ...cookie, name: `__Host-gatehouse-${world.ids.environments.live}` };
    const damaged = { ...cookie, value: `${cookie.value.slice(0, -4)}AAAA` };
    const twice = { ...cookie, value: `${cookie.value}; ${name}=${cookie.value}` };
    for (const wrong of [other, damaged, twice, { ...cookie, value: '' }])
      expect((await check(wrong)).status).toBe(401);
  });

  it('refuses the cookie elsewhere: another environment, one without cookie mode, the API for servers', async () => {
    const { cookie } = await signIn();
    const { live } = world.ids.environments;
    const there = send({ ...cookie, name: `__Host-gatehouse-${live}` });
    expect((await world.anonymous.get<unknown>(world.sdk('/session', live), there)).status).toBe(401);
    const { minifiedJwt } = await world.signIn(newEmail(), { environmentId: live });
    expect((await world.anonymous.get<unknown>(world.sdk('/session', live), { token: minifiedJwt })).status).toBe(204);
    const asCookie = send({ ...cookie, name: `__Host-gatehouse-${live}`, value: minifiedJwt });
    expect((await world.anonymous.get<unknown>(world.sdk('/session', live), asCookie)).status).toBe(401);
    expect((await world.anonymous.get<unknown>(world.path('/users'), send(cookie))).status).toBe(401);
  });

  it('lets the Authorization header decide when both are sent', async () => {
    const { cookie } = await signIn();
    const { headers } = send(cookie, { origin: ORIGIN });
    const token = `${cookie.value.slice(0, -4)}AAAA`;
    expect((await world.anonymous.get<unknown>(world.sdk('/session'), { token, headers })).status).toBe(401);
  });
});
