import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SanctionsApi } from '../../src/access-control/screening/sanctions-api.js';
import { StripeGateway } from '../../src/billing/stripe/stripe-gateway.js';
import { Metrics } from '../../src/observability/index.js';
import { CaptchaVendors, Mailer, SmsSender, SocialAccounts } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { MailServer } from '../support/mail-server.js';
import { World } from '../support/world.js';

const SWISS = [{ isoCountryCode: 'CH', phoneCountryCode: '41' }];
/** What each of them would answer, in one. */
const ANSWER = { id: 'm-1', success: false, identifications: [], access_token: 'token', token_type: 'bearer' };
const CAPTCHA = { siteKey: 'site', secret: 'secret', token: 'token', ipAddress: null };

describe('vendors of messages, captchas, payments, screening and sign-in', () => {
  let test: TestApp;
  /** On the same database; `test` keeps its mail in the inbox. */
  let mailing: TestApp;
  let peer: Server;
  let mails: MailServer;
  let isDown = false;

  beforeAll(async () => {
    mails = await MailServer.start();
    peer = createServer((request, response) => {
      if (isDown) return void response.writeHead(503).end();
      const status = request.url === '/v3/mail/send' ? 202 : request.url!.endsWith('/Messages.json') ? 201 : 200;
      response.writeHead(status).end(JSON.stringify(ANSWER));
    });
    peer.listen(0, '127.0.0.1');
    await once(peer, 'listening');
    const at = { api: `http://127.0.0.1:${(peer.address() as AddressInfo).port}` };
    const discord = { authorize: at.api, token: at.api, profile: at.api };
    const captchas = { hcaptcha: at, turnstile: at, recaptcha: at };
    const addresses = { sms: at, sendgrid: at, resend: at, sanctions: at, discord, ...captchas };
    const stripe = { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'whsec', STRIPE_API_URL: at.api };
    const env = {
      ...stripe,
      SANCTIONS_API_KEY: 'key',
      ROLE: 'api',
      METRICS_PORT: '0',
      PROVIDER_ADDRESSES: JSON.stringify(addresses),
    };
    test = await startTestApp({ env });
    mailing = await startTestApp({ databaseUrl: test.databaseUrl, env: { ...env, SMTP_URL: mails.url } });
  });
  afterAll(async () => {
    await mailing.close();
    await test.close();
    peer.close();
    await mails.stop().catch(() => undefined);
  });

  async function enabled(provider: string, body: object): Promise<World> {
    const world = await World.create(test);
    const path = world.path(`/settings/providers/type/${provider}`);
    const made = await world.owner.post<{ id: string }>(path, { clientSecret: 'secret', ...body }, { expect: 201 });
    await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
    return world;
  }
  const mail =
    ({ environmentId }: World, { app }: TestApp) =>
    () =>
      app.get(Mailer).send({ environmentId, to: 'ann@example.org', subject: 'Hello', text: 'Hello' });
  const text =
    ({ environmentId }: World) =>
    () =>
      test.app.get(SmsSender).send({ environmentId, to: '+41791234567', isoCountryCode: 'CH', text: 'Hello' });
  const captcha = (vendor: 'hcaptcha' | 'turnstile' | 'recaptcha') => () =>
    test.app.get(CaptchaVendors).verdict(vendor, CAPTCHA);
  const social = ({ environmentId }: World) => {
    const redirect = { redirectUri: 'https://id.example.com/redirect', state: 's', nonce: 'n' };
    return async () =>
      (await test.app.get(SocialAccounts).open(environmentId, 'discord')).finish({
        ...redirect,
        code: 'code',
        codeVerifier: 'v'.repeat(43),
      });
  };
  const countOf = async (series: string, vendor: string): Promise<number | undefined> => {
    const { app } = vendor === 'smtp' ? mailing : test;
    const metrics = await app.get(Metrics).collect();
    const values = metrics.find(({ name }) => name === series)?.values ?? [];
    return values.find(({ labels }) => labels['vendor'] === vendor)?.value;
  };

  it.each<[string, () => Promise<() => Promise<unknown>>, number?]>([
    ['smtp', async () => mail(await World.create(test), mailing)],
    ['sendgrid', async () => mail(await enabled('sendgrid', { domain: 'mail.example' }), test)],
    ['resend', async () => mail(await enabled('resend', { domain: 'mail.example' }), test)],
    [
      'sms',
      async () =>
        text(await enabled('sms', { accountSid: 'AC1', smsSenderNumber: '+15005550006', enabledCountries: SWISS })),
    ],
    ['hcaptcha', async () => captcha('hcaptcha')],
    ['turnstile', async () => captcha('turnstile')],
    ['recaptcha', async () => captcha('recaptcha')],
    // Its client asks three times.
    ['stripe', async () => () => test.app.get(StripeGateway, { strict: false }).knownCoupons(['SPRING']), 3],
    ['sanctions', async () => () => test.app.get(SanctionsApi, { strict: false }).listings(['0x1'])],
    ['discord', async () => social(await enabled('discord', { clientId: 'client' }))],
  ])('are in the metrics with their answers and failures: %s', async (vendor, prepare, failures = 1) => {
    const act = await prepare();
    await act();
    expect(await countOf('gatehouse_vendor_answers_total', vendor)).toBe(1);
    expect(await countOf('gatehouse_vendor_failures_total', vendor)).toBe(0);
    const sinceAnswer = Date.now() / 1000 - (await countOf('gatehouse_vendor_last_answer_seconds', vendor))!;
    expect(Math.abs(sinceAnswer)).toBeLessThan(60);
    isDown = true;
    if (vendor === 'smtp') await mails.stop();
    await act().catch(() => undefined);
    isDown = false;
    expect(await countOf('gatehouse_vendor_answers_total', vendor)).toBe(1);
    expect(await countOf('gatehouse_vendor_failures_total', vendor)).toBe(failures);
  });
});
