import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeJwt } from 'jose';
import type { EndUserPrincipal } from '../../src/auth/index.js';
import { SessionAnswer, UserReader } from '../../src/identity/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, unknown>;
}

interface Described {
  operationId: string;
  'x-audience'?: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};
const TOKENS = ['jwt', 'minifiedJwt', 'elevatedAccessToken', 'mfaToken'];

function propertiesOf(schema: Schema | undefined): string[] {
  if (!schema) return [];
  if (schema.$ref) return propertiesOf(document.components.schemas[schema.$ref.split('/').at(-1)!]);
  return [...Object.keys(schema.properties ?? {}), ...(schema.allOf ?? []).flatMap(propertiesOf)];
}

/** What end users call whose success has a token in it. */
const RENEWING = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => {
    if (operation['x-audience'] !== 'end-user') return [];
    const answers = Object.entries(operation.responses).flatMap(([status, { content }]) =>
      status.startsWith('2') ? propertiesOf(content?.['application/json']?.schema) : [],
    );
    return TOKENS.some((name) => answers.includes(name)) ? [{ id: operation.operationId, method, path }] : [];
  }),
);

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await startTestApp({ env: { ROLE: 'api', LOG_LEVEL: 'warn' } });
  world = await World.create(test);
});

afterAll(() => test.close());

const refresh = async (token: string, userAgent?: string) =>
  world.anonymous.post<SignedIn['body'] & Refusal>(world.sdk('/refresh'), undefined, {
    token,
    ...(userAgent && { headers: { 'user-agent': userAgent } }),
  });

/** Lets time pass since the newest exchange of a session. */
const age = (sessionId: string, seconds: number): Promise<object[]> =>
  rowsOf(
    test,
    `UPDATE sessions SET token_issued_at = token_issued_at - make_interval(secs => $2),
       replaced_tokens = (SELECT coalesce(jsonb_object_agg(key, value::float - $2), '{}') FROM jsonb_each(replaced_tokens))
     WHERE id = $1`,
    [sessionId, seconds],
  );

/** A session with a token that was exchanged for a newer one some seconds ago. */
async function replaced(seconds: number): Promise<SignedIn & { current: string }> {
  const signedIn = await world.signIn(newEmail());
  const { body } = await refresh(signedIn.jwt);
  await age(signedIn.sessionId, seconds);
  return { ...signedIn, current: body.jwt! };
}

/** Without a body: whoever is refused is refused before it is looked at. */
async function call(
  { method, path }: { method: string; path: string },
  token: string,
  headers: Record<string, string> = {},
) {
  const filled = path.replace('{environmentId}', world.environmentId).replaceAll(/\{\w+\}/g, () => randomUUID());
  const answer = await fetch(`${test.url}/api/v0${filled}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: answer.status, body: (await answer.json()) as Partial<Refusal> };
}

const profile = (token: string) => world.anonymous.get<Refusal>(world.sdk('/users'), { token });

describe('a token that was replaced', () => {
  it('gets no token from any operation that answers with some', async () => {
    const ids = RENEWING.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['refreshAuth', 'updateSelf', 'verifyEmailVerification']));
    expect(ids.length).toBeGreaterThan(8);
    const { jwt, minifiedJwt, current } = await replaced(11);
    const others = RENEWING.filter(({ id }) => id !== 'refreshAuth');
    for (const operation of others) {
      for (const token of [jwt, minifiedJwt]) {
        const { status, body } = await call(operation, token);
        expect([operation.id, status, body.code]).toEqual([operation.id, 401, 'token_replaced']);
      }
      // The same call with the newest token gets further, so it was the token that was refused.
      expect((await call(operation, current)).body.code).not.toBe('token_replaced');
    }
  });

  it('ends the session at a refresh', async () => {
    const { jwt, current } = await replaced(11);
    const { status, body } = await refresh(jwt);
    expect([status, body.code]).toEqual([401, 'token_reused']);
    expect((await profile(current)).status).toBe(401);
  });

  it('still ends the session at a refresh when it counts for nothing else', async () => {
    const { jwt, current } = await replaced(16 * 60);
    expect((await refresh(jwt)).body.code).toBe('token_reused');
    expect((await profile(current)).status).toBe(401);
  });

  it('gets none where tokens are made either, whoever let it through', async () => {
    const { jwt, userId, sessionId, current } = await replaced(11);
    const { environmentId } = world;
    const answer = test.app.get(SessionAnswer);
    const user = await test.app.get(UserReader, { strict: false }).getFull(environmentId, userId);
    const client = { ipAddress: '', userAgent: 'node', origin: null };
    const callerWith = (token: string): EndUserPrincipal => ({
      ...{ kind: 'endUser', environmentId, userId, sessionId, scopes: [], tokenUse: 'current' },
      tokenId: decodeJwt(token).jti!,
    });
    await expect(answer.renew(environmentId, callerWith(jwt), user, client)).rejects.toMatchObject({
      code: 'token_replaced',
      details: { security: 'token.refused' },
    });
    await expect(answer.renew(environmentId, callerWith(current), user, client)).resolves.toHaveProperty('jwt');
  });

  it('changes nothing where it gets nothing', async () => {
    const { jwt, current } = await replaced(11);
    const alias = 'changed by a copy';
    const { status } = await world.anonymous.put(world.sdk('/users'), { alias }, { token: jwt });
    expect(status).toBe(401);
    expect((await profile(current)).body).not.toMatchObject({ alias });
  });

  it('serves other tabs for 15 minutes, and then nobody, however long its own life is', async () => {
    const { jwt, sessionId, current } = await replaced(14 * 60);
    expect((await profile(jwt)).status).toBe(200);
    await age(sessionId, 61);
    expect((await profile(jwt)).status).toBe(401);
    expect((await profile(current)).status).toBe(200);
  });

  it('serves them as well when its successor was replaced in turn', async () => {
    const { jwt, sessionId, current } = await replaced(5 * 60);
    const newest = (await refresh(current)).body.jwt!;
    const statusOf = async (token: string) => (await profile(token)).status;
    expect([await statusOf(jwt), await statusOf(current), await statusOf(newest)]).toEqual([200, 200, 200]);
    await age(sessionId, 10 * 60);
    expect([await statusOf(jwt), await statusOf(current), await statusOf(newest)]).toEqual([401, 200, 200]);
  });

  it('is remembered for twenty exchanges at most', async () => {
    const { jwt, sessionId } = await world.signIn(newEmail());
    let newest = jwt;
    for (let n = 0; n < 25; n += 1) newest = (await refresh(newest)).body.jwt!;
    const [row] = await rowsOf(
      test,
      'SELECT count(*)::int AS kept FROM sessions, jsonb_object_keys(replaced_tokens) WHERE id = $1',
      [sessionId],
    );
    expect(row).toEqual({ kept: 20 });
    expect((await profile(jwt)).status).toBe(401);
    expect((await profile(newest)).status).toBe(200);
  });

  it('is exchanged once more within ten seconds by the client that exchanged it, and by no other', async () => {
    const { jwt } = await world.signIn(newEmail());
    const first = await refresh(jwt, 'tab of a browser');
    const again = await refresh(jwt, 'tab of a browser');
    expect([again.status, again.body.jwt]).toEqual([200, first.body.jwt]);
    const thief = await refresh(jwt, 'another client');
    expect([thief.status, thief.body.code]).toEqual([401, 'token_reused']);
  });

  it('gets none from another client either a moment after the exchange, and changes nothing', async () => {
    // So long from now that it is a moment ago however slow the machine is.
    const { jwt, current } = await replaced(-600);
    const thief = { 'user-agent': 'another client' };
    const alias = 'changed by a copy';
    const change = await world.anonymous.put<Refusal>(world.sdk('/users'), { alias }, { token: jwt, headers: thief });
    expect([change.status, change.body.code]).toEqual([401, 'token_replaced']);
    expect((await profile(current)).body).not.toMatchObject({ alias });
    for (const operation of RENEWING.filter(({ id }) => id !== 'refreshAuth')) {
      const { status, body } = await call(operation, jwt, thief);
      expect([operation.id, status, body.code]).toEqual([operation.id, 401, 'token_replaced']);
      expect((await call(operation, jwt)).body.code).not.toBe('token_replaced');
    }
    expect((await world.anonymous.get(world.sdk('/users'), { token: jwt, headers: thief })).status).toBe(200);
  });

  it('of the console counts for 15 minutes too', async () => {
    const environmentId = world.ids.consoleEnvironmentId;
    const { jwt, sessionId } = await world.signIn(world.ownerEmail, { environmentId });
    const organizations = () => world.anonymous.get('/organizations', { token: jwt });
    await world.anonymous.post(world.sdk('/refresh', environmentId), undefined, { token: jwt, expect: 200 });
    expect((await organizations()).status).toBe(200);
    await age(sessionId, 16 * 60);
    expect((await organizations()).status).toBe(401);
  });

  it('of the console is valid for a refresh only once it is cut', async () => {
    const environmentId = world.ids.consoleEnvironmentId;
    const { jwt, sessionId } = await world.signIn(world.ownerEmail, { environmentId });
    await rowsOf(test, "UPDATE sessions SET token_expires_at = now() - interval '1 second' WHERE id = $1", [sessionId]);
    const refused = await world.anonymous.get<Refusal>('/organizations', { token: jwt });
    expect([refused.status, refused.body.code]).toEqual([401, 'token_cut']);
    const renewed = await world.anonymous.post<{ jwt: string }>(world.sdk('/refresh', environmentId), undefined, {
      token: jwt,
      expect: 200,
    });
    await world.anonymous.get('/organizations', { token: renewed.body.jwt, expect: 200 });
  });
});
