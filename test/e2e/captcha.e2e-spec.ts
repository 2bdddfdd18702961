import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { UnitOfWork } from '../../src/database/index.js';
import {
  EnvironmentSecrets,
  EnvironmentSettingsReader,
  EnvironmentSettingsService,
} from '../../src/environments/index.js';
import { SettingsWriter } from '../../src/environments/settings-writer.js';
import { SERVICE } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

const SITE_KEYS = {
  hcaptcha: '10000000-ffff-ffff-ffff-000000000001',
  turnstile: '1x00000000000000000000AA',
  recaptcha: '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI',
} as const;
type Vendor = keyof typeof SITE_KEYS;

let test: TestApp;
let peer: Server;
let isDown = false;
/** By token: what the vendors answer in place of a verdict, and the score beside one. */
const odd = new Map<string, (response: ServerResponse) => void>();
const scores = new Map<string, number>();
/** What the vendors were asked, by path. */
const asked: { path: string; form: Record<string, string> }[] = [];

beforeAll(async () => {
  // Every vendor: a token is good once, with the secret of the environment.
  const used = new Set<string>();
  peer = createServer((request, response) => {
    void text(request).then((body) => {
      const form = Object.fromEntries(new URLSearchParams(body));
      asked.push({ path: request.url!, form });
      if (isDown) return void request.socket.destroy();
      const { response: token = '', secret = '' } = form;
      const answerOddly = odd.get(token);
      if (answerOddly) return answerOddly(response);
      const isGood = token.startsWith('solved-') && !used.has(token);
      used.add(token);
      const answer = secret.startsWith('secret-of-')
        ? { success: isGood, score: scores.get(token), ...(!isGood && { 'error-codes': ['timeout-or-duplicate'] }) }
        : { success: false, 'error-codes': ['invalid-input-secret'] };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  });
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
  const api = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
  const addresses = Object.fromEntries(Object.keys(SITE_KEYS).map((vendor) => [vendor, { api }]));
  const env = { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1', PROVIDER_ADDRESSES: JSON.stringify(addresses) };
  test = await startTestApp({ env });
});
afterAll(async () => {
  await test.close();
  peer.closeAllConnections();
  peer.close();
});

async function asking(captcha: object): Promise<World> {
  const world = await World.create(test);
  await set(world, captcha);
  await eventually('the captcha is asked for', async () => (await send(world)).status !== 201);
  return world;
}
const set = (world: World, captcha: object) =>
  world.owner.put(world.path(''), { security: { captcha } }, { expect: 200 });
const send = (world: World, captchaToken?: string) =>
  world.anonymous.post<Refusal & { verificationUUID: string }>(world.sdk('/emailVerifications/create'), {
    email: newEmail(),
    captchaToken,
  });
const refusal = ({ status, body }: { status: number; body: Refusal }) => [status, body.code];
const secretOf = (world: World) =>
  test.app.get(EnvironmentSecrets).find(world.environmentId, 'security.captcha.secretKey');

async function worked(world: World): Promise<string> {
  const { body: challenge } = await world.anonymous.get<Parameters<typeof solveChallenge>[0]['challenge']>(
    world.sdk('/captcha/challenge'),
    { expect: 200 },
  );
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

describe('an environment that asks for a captcha', () => {
  it.each<[Vendor, string]>([
    ['hcaptcha', '/siteverify'],
    ['turnstile', '/turnstile/v0/siteverify'],
    ['recaptcha', '/recaptcha/api/siteverify'],
  ])('of %s asks that vendor for every code and sign-in', async (vendor, path) => {
    const world = await asking({ enabled: true, siteKey: SITE_KEYS[vendor], secretKey: `secret-of-${vendor}` });
    asked.length = 0;
    expect(refusal(await send(world))).toEqual([422, 'captcha_refused']);
    expect(asked).toEqual([]);
    expect(refusal(await send(world, 'unsolved'))).toEqual([422, 'captcha_refused']);
    expect((await send(world, `solved-${vendor}`)).status).toBe(201);
    expect(refusal(await send(world, `solved-${vendor}`))).toEqual([422, 'captcha_refused']);
    expect(asked.map((call) => call.path)).toEqual([path, path, path]);
    expect(asked[0]!.form).toMatchObject({ secret: `secret-of-${vendor}`, remoteip: '127.0.0.1' });

    const email = newEmail();
    const { body } = await world.anonymous.post<{ verificationUUID: string }>(
      world.sdk('/emailVerifications/create'),
      { email, captchaToken: `solved-code-${vendor}` },
      { expect: 201 },
    );
    const signIn = (captchaToken?: string) =>
      world.anonymous.post<Refusal>(world.sdk('/emailVerifications/signin'), {
        verificationUUID: body.verificationUUID,
        verificationToken: world.code(email),
        captchaToken,
      });
    expect(refusal(await signIn('unsolved'))).toEqual([422, 'captcha_refused']);
    expect((await signIn(`solved-sign-in-${vendor}`)).status).toBe(200);
  });

  it('refuses while the vendor is unavailable or rejects the secret, and writes nothing', async () => {
    const siteKey = SITE_KEYS.turnstile;
    const world = await asking({ enabled: true, siteKey, secretKey: 'secret-of-turnstile' });
    isDown = true;
    expect(refusal(await send(world, 'solved-while-down'))).toEqual([503, 'captcha_unavailable']);
    isDown = false;
    const wrong = await asking({ enabled: true, siteKey, secretKey: 'another' });
    expect(refusal(await send(wrong, 'solved-with-a-wrong-secret'))).toEqual([503, 'captcha_unavailable']);
    const sent = 'SELECT 1 FROM email_verifications WHERE environment_id = ANY ($1)';
    expect(await rowsOf(test, sent, [[world.environmentId, wrong.environmentId]])).toEqual([]);
  });

  it('refuses whatever else the vendor answers, and takes its next verdict', async () => {
    const world = await asking({ enabled: true, siteKey: SITE_KEYS.turnstile, secretKey: 'secret-of-turnstile' });
    const passed = '{"success":true}';
    const json = { 'content-type': 'application/json' };
    const answers: Record<string, (response: ServerResponse) => void> = {
      'a page': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'another address': (response) => void response.writeHead(307, { location: '/inside' }).end(passed),
      'too many calls': (response) => void response.writeHead(429, { 'retry-after': '1' }).end(passed),
      'a failure': (response) => void response.writeHead(500).end(passed),
      'a list': (response) => void response.writeHead(200, json).end(`[${passed}]`),
      'a bomb': (response) =>
        void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(passed.padEnd(20_000_000))),
      'too much': (response) => void response.writeHead(200, json).end(passed.padEnd(50_000_000)),
      'half of one': (response) => {
        response.writeHead(200, { ...json, 'content-length': '1000' }).write(passed);
        setTimeout(() => response.destroy(), 20);
      },
      nothing: () => undefined,
      'a drop at a time': (response) => {
        const drop = setInterval(() => response.write(' '), 500);
        response.on('close', () => clearInterval(drop));
      },
      'a verdict too late': (response) => void setTimeout(() => response.end(passed), 5_500).unref(),
    };
    for (const [name, answer] of Object.entries(answers)) odd.set(`solved-${name}`, answer);
    asked.length = 0;
    const told = await Promise.all(
      Object.keys(answers).map(async (name) => {
        const answer = await send(world, `solved-${name}`);
        return [name, [...refusal(answer), answer.headers.get('retry-after')]];
      }),
    );
    const unavailable = [503, 'captcha_unavailable', '5'];
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries(Object.keys(answers).map((name) => [name, unavailable])),
    );
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/turnstile/v0/siteverify']));
    const sent = 'SELECT 1 FROM email_verifications WHERE environment_id = $1';
    expect(await rowsOf(test, sent, [world.environmentId])).toEqual([]);
    expect((await send(world, 'solved-after-all-that')).status).toBe(201);
  }, 60_000);

  it.each<[Vendor, high: number, low: number]>([
    ['hcaptcha', 422, 201],
    ['recaptcha', 201, 422],
  ])('of %s reads a score as that vendor means it', async (vendor, high, low) => {
    const world = await asking({ enabled: true, siteKey: SITE_KEYS[vendor], secretKey: `secret-of-${vendor}` });
    scores.set(`solved-high-${vendor}`, 0.9).set(`solved-low-${vendor}`, 0.1);
    expect((await send(world, `solved-high-${vendor}`)).status).toBe(high);
    expect((await send(world, `solved-low-${vendor}`)).status).toBe(low);
  });

  it('without a vendor requires proof of work, which is valid once and in this environment only', async () => {
    const [world, other] = [await asking({ enabled: true }), await asking({ enabled: true })];
    asked.length = 0;
    const token = await worked(world);
    expect(refusal(await send(other, token))).toEqual([422, 'captcha_refused']);
    expect((await send(world, token)).status).toBe(201);
    expect(refusal(await send(world, token))).toEqual([422, 'captcha_refused']);
    expect(asked).toEqual([]);
  });

  it('accepts one of a hundred concurrent calls with the same work', async () => {
    const world = await asking({ enabled: true });
    const token = await worked(world);
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(world, token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('cannot name an unknown vendor, and never sends one the secret of another', async () => {
    const world = await World.create(test);
    const unknown = { security: { captcha: { enabled: true, siteKey: 'my-site-key' } } };
    const answer = await world.owner.put<Refusal>(world.path(''), unknown);
    expect(refusal(answer)).toEqual([400, 'validation_failed']);
    await set(world, { enabled: true, siteKey: SITE_KEYS.hcaptcha, secretKey: 'secret-of-hcaptcha' });
    expect(await secretOf(world)).toBe('secret-of-hcaptcha');
    await set(world, { enabled: false, siteKey: SITE_KEYS.turnstile });
    expect(await secretOf(world)).toBeNull();
    await set(world, { enabled: true, secretKey: 'secret-of-turnstile' });
    await set(world, { siteKey: SITE_KEYS.hcaptcha, secretKey: 'secret-of-hcaptcha' });
    expect(await secretOf(world)).toBe('secret-of-hcaptcha');
  });

  it('is not sent the secret of another vendor, which another instance has just stored', async () => {
    const world = await asking({ enabled: true, siteKey: SITE_KEYS.hcaptcha, secretKey: 'secret-of-hcaptcha' });
    const captcha = { siteKey: SITE_KEYS.turnstile, secretKey: 'secret-of-turnstile' };
    const sent = { security: { captcha } };
    const change = await test.app
      .get(EnvironmentSettingsService)
      .prepare(world.environmentId, sent, { actor: SERVICE });
    await test.app.get(EnvironmentSettingsReader).read(world.environmentId);
    asked.length = 0;
    // What the instance that makes the change forgets, this one still knows for a second.
    await test.app
      .get(UnitOfWork)
      .run((tx) => test.app.get(SettingsWriter, { strict: false }).change(world.environmentId, change, tx));
    expect((await send(world, 'solved-after-the-change')).status).toBe(201);
    expect(asked.map(({ path, form }) => [path, form['secret']])).toEqual([
      ['/turnstile/v0/siteverify', 'secret-of-turnstile'],
    ]);
  });

  it('needs the secret of its site key, sent or stored, to be enabled', async () => {
    const world = await World.create(test);
    const refused = async (captcha: object) => {
      const answer = await world.owner.put<Refusal & { payload: { fields: object[] } }>(world.path(''), {
        security: { captcha },
      });
      expect(refusal(answer)).toEqual([422, 'setting_not_available']);
      expect(answer.body.payload.fields).toEqual([
        { field: 'security.captcha.secretKey', message: expect.stringContaining('is missing') },
      ]);
    };
    const siteKey = SITE_KEYS.hcaptcha;
    await refused({ enabled: true, siteKey });
    await refused({ enabled: true, siteKey, secretKey: '' });
    await set(world, { enabled: true });
    await refused({ siteKey });
    // Nothing was written: pages still do a proof of work.
    const { body } = await world.owner.get<{ settings: { security: { captcha: object } } }>(world.path(''));
    expect(body.settings.security.captcha).toEqual({ enabled: true });
    await set(world, { enabled: false, siteKey, secretKey: 'secret-of-hcaptcha' });
    await set(world, { enabled: true });
    await refused({ secretKey: '' });
    await refused({ siteKey: SITE_KEYS.turnstile });
    expect(await secretOf(world)).toBe('secret-of-hcaptcha');
    await set(world, { enabled: false, secretKey: '' });
    await refused({ enabled: true });
  });
});
