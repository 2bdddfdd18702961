import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { SigningKeys } from '../../src/environments/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('the running service', () => {
  let test: TestApp;
  let world: World;
  let user: SignedIn;
  let neighbour: SignedIn;
  let elsewhere: SignedIn;
  let keyHost: Server;
  let keyUrl: string;
  let visits = 0;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    user = await world.signIn(newEmail());
    neighbour = await world.signIn(newEmail());
    elsewhere = await world.signIn(newEmail(), { environmentId: world.ids.environments.live });
    const { n, e } = stranger.publicKey.export({ format: 'jwk' });
    keyHost = createServer((_request, response) => {
      visits += 1;
      response.end(
        JSON.stringify({ keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig', kid: headerOf(user.jwt).kid, n, e }] }),
      );
    });
    await new Promise<void>((resolve) => keyHost.listen(0, '127.0.0.1', resolve));
    keyUrl = `http://127.0.0.1:${(keyHost.address() as AddressInfo).port}/jwks`;
  });

  afterAll(async () => {
    keyHost.close();
    await test.close();
  });

  const headerOf = (token: string): { alg: string; typ: string; kid: string } =>
    decodeProtectedHeader(token) as { alg: string; typ: string; kid: string };

  /** A token whose signature is right for the key, so that only what was changed can be why it is refused. */
  function signed(key: KeyObject, header: object, claims: object, hash = 'sha256'): string {
    const input = `${encode({ ...headerOf(user.minifiedJwt), ...header })}.${encode({ ...decodeJwt(user.minifiedJwt), ...claims })}`;
    return `${input}.${sign(hash, Buffer.from(input), key).toString('base64url')}`;
  }

  function macced(header: object, secret: string | Buffer): string {
    const input = `${encode({ ...headerOf(user.minifiedJwt), ...header })}.${user.minifiedJwt.split('.')[1]}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  }

  async function forgeries(): Promise<[string, string][]> {
    const keys = test.app.get(SigningKeys);
    const { privateKey: ours } = await keys.signer(world.environmentId);
    const { privateKey: theirs, kid: theirKid } = await keys.signer(world.ids.environments.live);
    const { kid } = headerOf(user.minifiedJwt);
    const publicKey = (await keys.verificationKey(world.environmentId, kid))!;
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const { n, e } = stranger.publicKey.export({ format: 'jwk' });
    const jwk = { kty: 'RSA', n, e };
    const [head, body, tail] = user.minifiedJwt.split('.') as [string, string, string];
    const [, fullBody, fullTail] = user.jwt.split('.') as [string, string, string];
    const now = Math.floor(Date.now() / 1000);
    const genuine = (header: object, claims: object = {}): string => signed(ours, header, claims);
    const foreign = (header: object, claims: object = {}): string => signed(stranger.privateKey, header, claims);
    const changed = (claims: JWTPayload): string =>
      `${head}.${encode({ ...decodeJwt(user.minifiedJwt), ...claims })}.${tail}`;
    return [
      ['alg none', `${encode({ ...headerOf(user.jwt), alg: 'none' })}.${body}.`],
      ['alg None', `${encode({ ...headerOf(user.jwt), alg: 'None' })}.${body}.${tail}`],
      ['alg none without kid', `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`],
      ['no alg', `${encode({ typ: 'JWT', kid })}.${body}.${tail}`],
      ['HS256 with the public key in PEM', macced({ alg: 'HS256' }, pem)],
      ['HS256 with the public key in DER', macced({ alg: 'HS256' }, publicKey.export({ type: 'spki', format: 'der' }))],
      ['HS256 with the modulus', macced({ alg: 'HS256' }, publicKey.export({ format: 'jwk' }).n!)],
      ['HS256 with nothing', macced({ alg: 'HS256' }, '')],
      ['an HMAC that says RS256', macced({}, pem)],
      ['RS512 by our key', signed(ours, { alg: 'RS512' }, {}, 'sha512')],
      ['RS384 that is RS256', genuine({ alg: 'RS384' })],
      ['PS256', genuine({ alg: 'PS256' })],
      ['somebody else’s key under our kid', foreign({})],
      ['the key of another environment under our kid', signed(theirs, {}, {})],
      ['the kid and key of another environment', signed(theirs, { kid: theirKid }, {})],
      ['the kid of another environment with our key', genuine({ kid: theirKid })],
      ['a genuine token of another environment', elsewhere.minifiedJwt],
      [
        'a session of another environment that says it is of ours',
        signed(theirs, { kid: theirKid }, { ...decodeJwt(elsewhere.jwt), environment_id: world.environmentId }),
      ],
      ['an unknown kid', genuine({ kid: randomUUID() })],
      ['a kid that is a path', genuine({ kid: '../../../dev/null' })],
      ['a kid that is SQL', genuine({ kid: "' OR '1'='1" })],
      ['no kid', genuine({ kid: undefined })],
      ['a jku to a key set that has the key', foreign({ jku: keyUrl })],
      ['an x5u to it', foreign({ x5u: keyUrl })],
      ['an embedded jwk', foreign({ jwk })],
      ['an embedded certificate', foreign({ x5c: ['MIIB'] })],
      ['a jku beside our own signature', genuine({ jku: keyUrl })],
      ['crit', genuine({ crit: ['exp'] })],
      ['another typ', genuine({ typ: 'mfa+jwt' })],
      ['no typ', genuine({ typ: undefined })],
      ['another user in the body', changed({ sub: neighbour.userId })],
      ['more scope in the body', changed({ scope: 'user:basic admin' })],
      ['a later expiry in the body', changed({ exp: now + 999_999 })],
      ['the body of the full token', `${head}.${fullBody}.${tail}`],
      ['the signature of the full token', `${head}.${body}.${fullTail}`],
      ['a flipped signature', `${head}.${body}.${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`],
      ['no signature', `${head}.${body}.`],
      ['two parts', `${head}.${body}`],
      ['four parts', `${user.minifiedJwt}.${tail}`],
      ['the session of a neighbour', genuine({}, { sid: neighbour.sessionId })],
      ['a neighbour with our session', genuine({}, { sub: neighbour.userId })],
      ['a session that never was', genuine({}, { sid: randomUUID() })],
      ['another issuer', genuine({}, { iss: `evil.example/${world.environmentId}` })],
      ['the issuer of another environment', genuine({}, { iss: decodeJwt(elsewhere.jwt).iss })],
      ['another environment_id', genuine({}, { environment_id: world.ids.environments.live })],
      ['no expiry', genuine({}, { exp: undefined })],
      ['an expiry two minutes ago', genuine({}, { exp: now - 120 })],
      ['an expiry that is text', genuine({}, { exp: String(now + 600) })],
      ['an issue two minutes ahead', genuine({}, { iat: now + 120 })],
      ['a begin two minutes ahead', genuine({}, { nbf: now + 120 })],
      ['another purpose', genuine({}, { purpose: 'backup' })],
      ['no token id', genuine({}, { jti: undefined })],
      ['several audiences', genuine({}, { aud: [test.config.publicUrl, 'https://evil.example'] })],
      ['a site that the environment does not have', genuine({}, { aud: 'https://evil.example' })],
      ['our address with a path', genuine({}, { aud: `${test.config.publicUrl}/x` })],
    ];
  }

  it('refuses more than forty forged tokens one by one, without fetching any key', async () => {
    const forged = await forgeries();
    expect(forged.length).toBeGreaterThanOrEqual(40);
    expect(new Set(forged.map(([, token]) => token)).size).toBe(forged.length);
    const admitted: string[] = [];
    for (const [name, token] of forged) {
      for (const call of [
        () => world.anonymous.get<unknown>(world.sdk('/session'), { token }),
        () => world.anonymous.get<unknown>(world.sdk('/users'), { token }),
        () => world.anonymous.post<unknown>(world.sdk('/refresh'), undefined, { token }),
        () => world.anonymous.get<unknown>(world.path('/users'), { token }),
      ]) {
        const { status } = await call();
        if (status !== 401) admitted.push(`${name}: ${status}`);
      }
    }
    expect(admitted).toEqual([]);
    expect(visits).toBe(0);
  });

  it('accepts a token made the same way without forgery, so the table above proves something', async () => {
    const { privateKey } = await test.app.get(SigningKeys).signer(world.environmentId);
    const honest = signed(privateKey, {}, { extra: 'claim' });
    expect((await world.anonymous.get<unknown>(world.sdk('/session'), { token: honest })).status).toBe(204);
    for (const token of [user.jwt, user.minifiedJwt]) {
      expect((await world.anonymous.get<unknown>(world.sdk('/session'), { token })).status).toBe(204);
    }
    await fetch(keyUrl);
    expect(visits).toBe(1);
  });
});
