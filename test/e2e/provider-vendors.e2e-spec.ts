import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DevInbox, Mailer, SmsSender } from '../../src/providers/index.js';
import { EnvironmentPromotion } from '../../src/environments/index.js';
import type { Refusal } from '../support/codes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedIdentityProvider } from '../support/identity-provider.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const SECRET = 'canary-vendor-secret';
const MAIL = { to: 'ann@example.org', subject: 'Hello', text: 'Your code is 123456.', html: '<p>123456</p>' };
const SWISS = [{ isoCountryCode: 'CH', phoneCountryCode: '41' }];

const STATUSES: Readonly<Record<string, number>> = { '/v3/mail/send': 202, '/emails': 200, '/': 204 };
/** As each vendor documents it. */
const accepts = (response: ServerResponse, path: string): void =>
  void response.writeHead(STATUSES[path] ?? 201).end(path === '/emails' ? '{ "id": "49a3999c" }' : undefined);

/** The documented interfaces of the vendors, on loopback. */
class Vendors {
  readonly received: Received[] = [];
  answer: (response: ServerResponse, path: string) => void = accepts;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<Vendors> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        vendors.received.push({ path: request.url ?? '', headers: request.headers, body });
        vendors.answer(response, request.url ?? '');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const vendors = new Vendors(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return vendors;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('vendors of mail and text messages', () => {
  let test: TestApp;
  let vendors: Vendors;

  beforeAll(async () => {
    vendors = await Vendors.start();
    const api = { api: vendors.origin };
    const PROVIDER_ADDRESSES = JSON.stringify({ sendgrid: api, resend: api, sms: api });
    test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES } });
  });
  beforeEach(() => {
    vendors.received.length = 0;
    vendors.answer = accepts;
  });
  afterAll(async () => {
    await test.close();
    await vendors.stop();
  });

  async function enabled(provider: string, body: object): Promise<World> {
    const world = await World.create(test);
    const path = world.path(`/settings/providers/type/${provider}`);
    const made = await world.owner.post<{ id: string }>(path, { clientSecret: SECRET, ...body }, { expect: 201 });
    await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
    return world;
  }
  const mail = (world: World) => test.app.get(Mailer).send({ environmentId: world.environmentId, ...MAIL });
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: { code?: string }) => error.code,
    );

  it.each([
    [
      'sendgrid',
      { domain: 'mail.example', emailIpPoolName: 'pool' },
      '/v3/mail/send',
      {
        personalizations: [{ to: [{ email: MAIL.to }] }],
        from: { email: 'no-reply@mail.example' },
        subject: MAIL.subject,
        content: [
          { type: 'text/plain', value: MAIL.text },
          { type: 'text/html', value: MAIL.html },
        ],
        tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
        ip_pool_name: 'pool',
      },
    ],
    [
      'resend',
      { domain: 'mail.example' },
      '/emails',
      { from: 'no-reply@mail.example', to: [MAIL.to], subject: MAIL.subject, text: MAIL.text, html: MAIL.html },
    ],
  ])('%s gets mail as it documents it, and its failures are told as ours', async (name, body, path, expected) => {
    const world = await enabled(name, body);
    await mail(world);
    const [{ path: asked, headers, body: sent }] = vendors.received as [Received];
    expect([asked, headers.authorization]).toEqual([path, `Bearer ${SECRET}`]);
    expect(JSON.parse(sent)).toEqual(expected);
    vendors.answer = (response) => void response.writeHead(401).end(MAIL.to);
    expect(await codeOf(mail(world))).toBe('mail_unavailable');
    vendors.answer = (response) => void response.destroy();
    expect(await codeOf(mail(world))).toBe('mail_unavailable');
    vendors.answer = (response) => void response.writeHead(200).end('<html>We are back soon.</html>');
    expect(await codeOf(mail(world))).toBe('mail_unavailable');
  });

  it('leave the mail of other environments to the mailer of the deployment', async () => {
    const world = await World.create(test);
    await mail(world);
    expect(vendors.received).toEqual([]);
    expect(test.app.get(DevInbox).entries[0]).toMatchObject({ channel: 'email', to: MAIL.to });
  });

  it.each([
    ['an account', { accountSid: 'AC1' }, '/2010-04-01/Accounts/AC1/Messages.json'],
    ['a gateway', { domain: 'sms.example/send' }, '/'],
  ])('of texts are reached by %s', async (_, where, path) => {
    const world = await enabled('sms', { ...where, smsSenderNumber: '+15005550006', enabledCountries: SWISS });
    const sms = { environmentId: world.environmentId, to: '+41791234567', isoCountryCode: 'CH', text: 'Hi +&=' };
    await test.app.get(SmsSender).send(sms);
    const [{ path: asked, headers, body }] = vendors.received as [Received];
    expect(asked).toBe(path);
    if (path === '/') {
      expect(headers.authorization).toBe(`Bearer ${SECRET}`);
      expect(JSON.parse(body)).toEqual({ to: sms.to, from: '+15005550006', text: sms.text });
    } else {
      expect(headers.authorization).toBe(`Basic ${Buffer.from(`AC1:${SECRET}`).toString('base64')}`);
      expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
        To: sms.to,
        From: '+15005550006',
        Body: sms.text,
      });
    }
    vendors.answer = (response) => void response.writeHead(400).end('{}');
    expect(await codeOf(test.app.get(SmsSender).send(sms))).toBe('sms_unavailable');
    const elsewhere = { ...sms, isoCountryCode: 'US' };
    expect(await codeOf(test.app.get(SmsSender).send(elsewhere))).toBe('sms_country_not_enabled');
    expect(vendors.received).toHaveLength(2);
    const { environmentId } = await World.create(test);
    expect(await codeOf(test.app.get(SmsSender).send({ ...sms, environmentId }))).toBe('no_enabled_sms_provider');
  });

  it('are not asked in development: texts land in the inbox', async () => {
    const other = await startTestApp({ env: { ROLE: 'api' } });
    try {
      const world = await World.create(other);
      const body = { provider: 'sms', clientSecret: SECRET, accountSid: 'AC1', smsSenderNumber: '+1' };
      const path = world.path('/settings/providers');
      const made = await world.owner.post<{ id: string }>(path, { ...body, enabledCountries: SWISS }, { expect: 201 });
      await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
      const sms = { environmentId: world.environmentId, to: '+41791234567', isoCountryCode: 'ch', text: 'code 1' };
      await other.app.get(SmsSender).send({ ...sms, code: '1' });
      expect(other.app.get(DevInbox).entries[0]).toMatchObject({ channel: 'sms', to: sms.to, code: '1' });
    } finally {
      await other.close();
    }
  });

  it('are promoted without secret and switched off', async () => {
    const world = await enabled('resend', { domain: 'mail.example' });
    const [from, to] = [world.environmentId, world.ids.environments.live];
    const promotion = test.app.get(EnvironmentPromotion);
    const request = { from, to, prune: true, except: ['settings'] };
    const plan = await promotion.plan(request);
    expect(JSON.stringify(plan)).not.toContain(SECRET);
    await promotion.apply(request, { digest: plan.digest });
    const rows = await rowsOf<object>(
      test,
      `SELECT provider, configuration, enabled_at AS "enabledAt", sealed_secret AS secret FROM providers
       WHERE environment_id = $1 AND provider = 'resend'`,
      [to],
    );
    expect(rows).toEqual([
      { provider: 'resend', configuration: { domain: 'mail.example' }, enabledAt: null, secret: null },
    ]);
  });

  it('lose the secret of a gateway, and are switched off, when a promotion adds an account beside it', async () => {
    const gateway = { domain: 'sms.own.example', smsSenderNumber: '+1', enabledCountries: SWISS };
    const world = await enabled('sms', { ...gateway, accountSid: 'AC1' });
    const [from, to] = [world.environmentId, world.ids.environments.live];
    const body = { ...gateway, provider: 'sms', clientSecret: SECRET };
    const path = `/environments/${to}/settings/providers`;
    const { body: target } = await world.owner.post<{ id: string }>(path, body, { expect: 201 });
    await world.owner.put(`/settings/providers/${target.id}/enable`, undefined, { expect: 200 });
    const promotion = test.app.get(EnvironmentPromotion);
    const request = { from, to, prune: false, except: ['settings'] };
    await promotion.apply(request, { digest: (await promotion.plan(request)).digest });
    const rows = await rowsOf<object>(
      test,
      `SELECT configuration->>'accountSid' AS "accountSid", enabled_at AS "enabledAt", sealed_secret AS secret
       FROM providers WHERE id = $1`,
      [target.id],
    );
    expect(rows).toEqual([{ accountSid: 'AC1', enabledAt: null, secret: null }]);
  });

  it('are promoted to the one that is on, which loses its secret, beside an older one that stays as it is', async () => {
    const gateway = { domain: 'sms.own.example', smsSenderNumber: '+1', enabledCountries: SWISS };
    const world = await enabled('sms', { ...gateway, accountSid: 'AC1' });
    const { live } = world.ids.environments;
    const path = `/environments/${live}/settings/providers`;
    const make = async (smsSenderNumber: string): Promise<string> => {
      const body = { ...gateway, provider: 'sms', clientSecret: SECRET, smsSenderNumber };
      return (await world.owner.post<{ id: string }>(path, body, { expect: 201 })).body.id;
    };
    const [older, newer] = [await make('+2'), await make('+1')];
    await world.owner.put(`/settings/providers/${newer}/enable`, undefined, { expect: 200 });
    const request = { fromEnvironmentId: world.environmentId, except: ['settings'] };
    const plan = () =>
      world.owner.post<{ digest: string; parts: unknown[] }>(`/environments/${live}/promotion/plan`, request, {
        expect: 200,
      });
    const { digest } = (await plan()).body;
    await world.owner.post(`/environments/${live}/promotion`, { ...request, digest }, { expect: 200 });
    const rows = await rowsOf<object>(
      test,
      `SELECT id, configuration->>'accountSid' AS "accountSid", enabled_at AS "enabledAt",
         sealed_secret IS NOT NULL AS "hasSecret"
       FROM providers WHERE environment_id = $1 AND provider = 'sms' ORDER BY id`,
      [live],
    );
    expect(rows).toEqual([
      { id: older, accountSid: null, enabledAt: null, hasSecret: true },
      { id: newer, accountSid: 'AC1', enabledAt: null, hasSecret: false },
    ]);
    expect((await plan()).body.parts).toEqual([]);
  });

  it('are not what signs people in: an address is served by codes while those are on', async () => {
    const world = await World.create(test);
    const path = world.sdk(`/emailProvider?email=${newEmail()}`);
    const { body } = await world.anonymous.get(path, { expect: 200 });
    expect(body).toEqual({ emailProvider: 'emailOnly' });
    await rowsOf(test, 'UPDATE providers SET enabled_at = NULL WHERE environment_id = $1 RETURNING 1', [
      world.ids.environments.live,
    ]);
    const live = world.sdk(`/emailProvider?email=${newEmail()}`, world.ids.environments.live);
    const { status, body: refused } = await world.anonymous.get<Refusal>(live);
    expect([status, refused.code]).toEqual([422, 'no_enabled_email_provider']);
    const door = (environmentId: string) =>
      world.anonymous.post<Refusal>(world.sdk('/ssoProvider', environmentId), { email: newEmail() });
    expect((await door(world.environmentId)).body).toEqual({ type: 'otp' });
    const shut = await door(world.ids.environments.live);
    expect([shut.status, shut.body.code]).toEqual([422, 'no_enabled_email_provider']);
  });

  it('single sign-on counts for addresses of the domain that the own organization has proven, and for no other', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    const domain = `${world.ids.organizationId}.example.com`;
    const setup = { clientId: 'c', clientSecret: SECRET, emailDomain: domain, provider: 'okta' };
    const ssoDomain = (await sharedIdentityProvider()).issuer;
    const path = `/organizations/${world.ids.organizationId}/ssoProvider`;
    const { body } = await world.owner.post<{ id: string }>(path, { ...setup, ssoDomain }, { expect: 201 });
    const check = async (of: World, email: string, environmentId?: string) =>
      (await of.anonymous.post(of.sdk('/ssoProvider', environmentId), { email }, { expect: 200 })).body;
    expect(await check(world, `ann@${domain}`)).toEqual({ type: 'otp' });
    await rowsOf(test, 'UPDATE sso_providers SET domain_proven_at = now() WHERE id = $1 RETURNING 1', [body.id]);
    expect(await check(world, `Ann@${domain.toUpperCase()}`)).toEqual({
      ...{ type: 'sso', provider: 'okta', id: body.id },
      ssoAuthUrl: expect.stringMatching(`/api/v0/sdk/${world.environmentId}/providers/okta/login$`),
    });
    expect(await check(world, `ann@sub.${domain}`)).toEqual({ type: 'otp' });
    expect(await check(other, `ann@${domain}`)).toEqual({ type: 'otp' });
    expect(await check(world, `ann@${domain}`, world.ids.consoleEnvironmentId)).toMatchObject({ id: body.id });
  });
});
