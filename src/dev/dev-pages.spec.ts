import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { newId } from '../common/ids.js';
import { Clock } from '../common/clock.js';
import { jsonBody } from '../common/http/body.js';
import { Config } from '../config/index.js';
import { DevInbox } from '../providers/index.js';
import { WebhookSecret } from '../webhooks/index.js';
import { CatcherSecrets } from './catcher-secrets.js';
import { CatcherController } from './catcher.controller.js';
import { Catcher, type CaughtRequest } from './catcher.js';
import { FrontController } from './front.controller.js';
import { MailsController } from './mails/mails.controller.js';
import type { MailPreview } from './mails/mail-previews.js';
import { DevelopmentIdentity } from './identity/development-identity.js';
import { IdentityController } from './identity/identity.controller.js';
import { ImitatedMessagingController } from './identity/messaging.controller.js';
import { InboxController } from './inbox.controller.js';
import { Quickstarts } from './quickstarts.js';
import { rawBody } from '../common/http/raw-body.js';

async function start(config: Config): Promise<INestApplication> {
  class TestModule {}
  const app = await NestFactory.create(
    {
      module: TestModule,
      controllers: [
        ...[FrontController, InboxController, MailsController, CatcherController],
        ...[IdentityController, ImitatedMessagingController],
      ],
      providers: [
        DevelopmentIdentity,
        Catcher,
        CatcherSecrets,
        DevInbox,
        Clock,
        { provide: Config, useValue: config },
        { provide: Quickstarts, useValue: { find: async () => quickstart } },
      ],
    },
    { logger: false, bodyParser: false },
  );
  app.use('/dev/webhooks', ...rawBody());
  app.use(jsonBody());
  await app.listen(0, '127.0.0.1');
  return app;
}

/** What pages show of a quick start. */
const quickstart = { environments: { sandbox: { id: 'id-of-the-sandbox', apiToken: 'secret-token' } } };
const JSON_ONLY = { accept: 'application/json' };
const WEBHOOK_ID = '018f0000-0000-7000-8000-000000000001';

describe('the development pages', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-dev-pages-'));
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await start(Config.load({ METRICS_PORT: '9464', DATA_DIR: dataDir }));
    url = await app.getUrl();
  });
  afterAll(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true });
  });

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  describe('front', () => {
    const places = [
      '/docs',
      '/dev/app',
      '/dev/inbox',
      '/dev/mails',
      '/dev/webhooks',
      '/dev/identity',
      '/dev/recipes',
      '/openapi.json',
    ];

    it('leads to everything that there is', async () => {
      const { status, text } = await read('/dev', { accept: 'text/html' });
      expect(status).toBe(200);
      for (const place of places) expect(text).toContain(`href="${place}"`);
      expect(text).toContain('href="http://127.0.0.1:9464/metrics"');
      expect(text).toContain('id-of-the-sandbox');
      expect(text).toContain(`${dataDir}/quickstart.json`);
      expect(text).not.toContain('secret-token');
    });

    it.each([
      [{}, 'Metrics are off'],
      [{ METRICS_PORT: '0' }, 'Metrics are on a port chosen by the system'],
    ])('says with %j where no figures are to be had', async (settings, words) => {
      const other = await start(Config.load({ ...settings, DATA_DIR: dataDir }));
      try {
        const text = await (await fetch(`${await other.getUrl()}/dev`)).text();
        expect(text).toContain(words);
        expect(text).not.toContain('/metrics"');
      } finally {
        await other.close();
      }
    });

    it('says the same to programs, with whole addresses', async () => {
      const { type, text } = await read('/llms.txt');
      expect(type).toMatch(/^text\/plain/);
      expect(text).toMatch(/^# Gatehouse\n\n> /);
      for (const place of places) expect(text).toContain(`(http://localhost:3000${place})`);
      expect(text).toContain(`${dataDir}/quickstart.json`);
      expect(text).not.toContain('secret-token');
    });
  });

  it.each(['/dev/inbox', '/dev/mails', '/dev/webhooks', '/dev/identity'])(
    'lead back to the front: %s',
    async (path) => {
      const { status, text } = await read(path, { accept: 'text/html' });
      expect([status, text]).toEqual([200, expect.stringContaining('<a href="/dev">')]);
    },
  );

  it('send the logins of the imitated messaging network to this service alone', async () => {
    const at = (returnTo: string, name: string) =>
      fetch(`${url}/dev/identity/messaging/continue?${new URLSearchParams({ return_to: returnTo, name }).toString()}`, {
        redirect: 'manual',
      });
    const home = 'http://localhost:3000/api/v0/sdk/x/telegram/auth?state=s';
    const sent = await at(home, 'Ann');
    expect([sent.status, sent.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^http:\/\/localhost:3000\/api\/v0\/sdk\/x\/telegram\/auth\?state=s&auth_date=\d+&.*hash=/),
    ]);
    for (const [returnTo, name] of [
      ['https://evil.example/', 'Ann'],
      ['http://localhost:3000.evil.example/', 'Ann'],
      ['', 'Ann'],
      [home, ' '],
    ] as const)
      expect((await at(returnTo, name)).status).not.toBe(302);
  });

  it('show the recipes as they were written', async () => {
    const { type, text } = await read('/dev/recipes');
    expect(type).toMatch(/^text\/plain/);
    expect(text).toMatch(/^# Recipes\n/);
  });

  describe('inbox', () => {
    const HELLO = 'Hello, see https://id.example.com/invites/ghi_1.';
    beforeAll(() => {
      const inbox = app.get(DevInbox);
      inbox.add({ channel: 'email', to: 'a@example.com', subject: 'First', text: HELLO, code: null });
      inbox.add({ channel: 'sms', to: '+15550100', subject: null, text: '<script>alert(1)</script>', code: '123456' });
    });

    it('answers JSON on request, newest first', async () => {
      const { status, text } = await read('/dev/inbox', JSON_ONLY);
      expect(status).toBe(200);
      const entries = JSON.parse(text);
      expect(entries).toHaveLength(2);
      expect(entries[0]).toEqual({
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        channel: 'sms',
        to: '+15550100',
        subject: null,
        text: '<script>alert(1)</script>',
        code: '123456',
      });
    });

    it('shows a page that says where it exists, with codes to copy and nothing executed', async () => {
      const { type, text } = await read('/dev/inbox', { accept: 'text/html' });
      expect(type).toMatch(/^text\/html/);
      expect(text).toContain('Development only');
      expect(text).toContain('data-copy="123456"');
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(text).toContain('<a href="https://id.example.com/invites/ghi_1" rel="noreferrer">');
      expect(text).not.toContain('<script>');
    });
  });

  it('show each mail before it is sent, those about access to wallets too, in each language', async () => {
    const { text } = await read('/dev/mails', JSON_ONLY);
    const previews = JSON.parse(text) as MailPreview[];
    for (const name of ['oneTimeCode', 'newDevice', 'walletMoved', 'accessGiven', 'accessAllowed']) {
      expect(previews.filter((one) => one.name === name).map(({ language }) => language)).toEqual(['en', 'de']);
    }
    const page = await read('/dev/mails', { accept: 'text/html' });
    expect(page.type).toMatch(/^text\/html/);
    for (const { subject } of previews) expect(page.text).toContain(subject);
    expect(previews.map((one) => one.text + one.html).join()).not.toMatch(/undefined|\{/);
  });

  describe('catcher', () => {
    const secret = WebhookSecret.generate();
    // Spacing and key order that no JSON writer here would produce: only the bytes received verify.
    const body = `{ "webhookId":"${WEBHOOK_ID}",\n "2":2, "1":1, "eventName" : "user.created" }`;

    beforeEach(() => app.get(CatcherSecrets).set(secret.reveal(), WEBHOOK_ID));

    async function send(path: string, text: string, signer: WebhookSecret, type = 'application/json') {
      const at = new Date();
      const headers = {
        'content-type': type,
        authorization: 'Bearer receiver-token',
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(signer.reveal()).sign('msg_1', at, text),
      };
      const response = await fetch(url + path, { method: 'POST', body: text, headers });
      const caught = JSON.parse((await read('/dev/webhooks', JSON_ONLY)).text) as CaughtRequest[];
      return { status: response.status, newest: caught[0], count: caught.length };
    }

    it('keeps what it received and verifies the very bytes', async () => {
      const { status, newest } = await send('/dev/webhooks', body, secret);
      expect(status).toBe(200);
      expect(newest).toMatchObject({ body: { eventName: 'user.created' }, verified: true });
      expect(newest?.headers).toMatchObject({ 'webhook-id': 'msg_1', authorization: '[redacted]' });
    });

    it('says when a signature is not good, and when no secret is known', async () => {
      expect((await send('/dev/webhooks', body, WebhookSecret.generate())).newest?.verified).toBe(false);
      expect((await send('/dev/webhooks', '{"webhookId":"another"}', secret)).newest?.verified).toBeNull();
    });

    it('judges late what came before its secret was known', async () => {
      const early = WebhookSecret.generate();
      const { newest } = await send('/dev/webhooks', '{"webhookId":"early"}', early);
      expect(newest?.verified).toBeNull();
      app.get(CatcherSecrets).set(early.reveal(), 'early');
      expect(app.get(Catcher).requests[0]).toMatchObject({ id: newest?.id, verified: true });
    });

    it('looks up the secret of a webhook that was made while the service runs', async () => {
      const later = WebhookSecret.generate();
      const [environmentId, webhookId] = [newId(), newId()];
      app
        .get(CatcherSecrets)
        .lookUpIn(async (environment, webhook) =>
          environment === environmentId && webhook === webhookId ? later : null,
        );
      const named = (id: string) => JSON.stringify({ environmentId, webhookId: id });
      expect((await send('/dev/webhooks', named(webhookId), later)).newest?.verified).toBe(true);
      expect((await send('/dev/webhooks', named(webhookId), secret)).newest?.verified).toBe(false);
      expect((await send('/dev/webhooks', named(newId()), later)).newest?.verified).toBeNull();
      expect((await send('/dev/webhooks', named("' OR 1=1"), later)).newest?.verified).toBeNull();
    });

    it('takes a secret for every webhook that is not known', async () => {
      const other = WebhookSecret.generate();
      app.get(CatcherSecrets).set(other.reveal());
      expect((await send('/dev/webhooks', '{"webhookId":"another"}', other)).newest?.verified).toBe(true);
      expect((await send('/dev/webhooks', body, other)).newest?.verified).toBe(false);
    });

    it('has an address that fails', async () => {
      const { status, newest } = await send('/dev/webhooks/fail', body, secret);
      expect(status).toBe(500);
      expect(newest?.verified).toBe(true);
    });

    it('accepts what the API would refuse: 200 KB', async () => {
      expect((await send('/dev/webhooks', JSON.stringify({ text: 'x'.repeat(200_000) }), secret)).status).toBe(200);
      const tooLarge = await fetch(`${url}/dev/webhooks`, { method: 'POST', body: 'x'.repeat(300_000) });
      expect(tooLarge.status).toBe(413);
    });

    it('shows a page', async () => {
      const { text } = await read('/dev/webhooks', { accept: 'text/html' });
      expect(text).toContain('Development only');
      expect(text).toContain('signature valid');
    });

    it('keeps the last 200', async () => {
      for (let count = 0; count < 205; count++) app.get(Catcher).catch({}, Buffer.from(String(count)));
      const { requests } = app.get(Catcher);
      expect(requests).toHaveLength(200);
      expect(requests[0]?.body).toBe(204);
    });
  });

  it.each([
    '/dev',
    '/llms.txt',
    '/dev/inbox',
    '/dev/mails',
    '/dev/webhooks',
    '/dev/identity/messaging/js/telegram-widget.js',
  ])('do not exist for a proxy or another name: %s', async (path) => {
    expect((await read(path, { ...JSON_ONLY, 'x-forwarded-for': '203.0.113.9' })).status).not.toBe(200);
    expect((await read(path, { ...JSON_ONLY, 'sec-fetch-site': 'cross-site' })).status).not.toBe(200);
  });

  it('do not exist in production, even when they were loaded', async () => {
    const settings = {
      NODE_ENV: 'production',
      MASTER_KEY: 'x',
      DATABASE_URL: 'postgres://db/x',
      PUBLIC_URL: 'https://x',
    };
    const production = await start(Config.load(settings));
    try {
      const address = await production.getUrl();
      for (const path of ['/dev', '/llms.txt', '/dev/inbox', '/dev/identity/messaging/js/telegram-widget.js'])
        expect((await fetch(address + path)).status).not.toBe(200);
      expect((await fetch(`${address}/dev/webhooks`, { method: 'POST' })).status).not.toBe(200);
    } finally {
      await production.close();
    }
  });
});
