import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { ArgumentsHost, INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'express';
import passport from 'passport';
import { BearerTokenStrategy, STRATEGIES, TenantDirectory } from '../../auth/index.js';
import type { ApiError } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import { writeQuickstart } from '../../dev/index.js';
import { DocsModule } from './docs.module.js';
import { ErrorPagesModule } from '../errors/error-pages.module.js';
import { buildDocument } from '../document.js';
import type { OpenApiDocument } from '../document-types.js';
import { SampleModule } from '../sample-api.fixture.js';

const SANDBOX = '018f0000-0000-7000-8000-00000000000a';
const TOKEN = 'sandbox-token';
const PRODUCTION = {
  NODE_ENV: 'production',
  MASTER_KEY: 'x',
  DATABASE_URL: 'postgres://db/x',
  PUBLIC_URL: 'https://x',
  API_DOCS: 'true',
};

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'));
writeQuickstart(dataDir, {
  api: '',
  docs: '',
  openapi: '',
  inbox: '',
  catcher: '',
  organizationId: 'organization',
  projectId: 'project',
  consoleEnvironmentId: 'console',
  environments: { sandbox: { id: SANDBOX, apiToken: TOKEN }, live: { id: 'live', apiToken: 'live-token' } },
  dashboard: { email: 'owner@example.com', userToken: 'user-token' },
});

describe('the documents', () => {
  let app: INestApplication;
  afterEach(async () => {
    await app.close();
    for (const name of Object.values(STRATEGIES)) passport.unuse(name);
  });
  afterAll(() => rmSync(dataDir, { recursive: true }));

  async function start(environment: Record<string, string> = {}) {
    const config = Config.load({ DATA_DIR: dataDir, ...environment });
    class TestModule {}
    class Settings {}
    class Tenants {}
    const settings = {
      module: Settings,
      global: true,
      providers: [
        { provide: Config, useValue: config },
        { provide: TenantDirectory, useValue: { consoleEnvironmentId: async () => 'console' } },
      ],
      exports: [Config, TenantDirectory],
    };
    app = await NestFactory.create(
      { module: TestModule, imports: [settings, SampleModule, DocsModule.forRoot([Tenants]), ErrorPagesModule] },
      { logger: false },
    );
    // As the error filter of the service answers, where a page has no filter of its own.
    app.useGlobalFilters({
      catch: ({ status, code }: ApiError, host: ArgumentsHost) =>
        void host.switchToHttp().getResponse<Response>().status(status).json({ code }),
    });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    return (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });
  }

  /** Members as a service with contexts would know them: one personal token is good. */
  function admitMember(token: string): void {
    const verify = (_request: unknown, presented: string, done: (error: unknown, principal?: object | false) => void) =>
      done(null, presented === token ? { kind: 'dashboardUser' } : false);
    for (const name of [STRATEGIES.personalToken, STRATEGIES.dashboardSession]) {
      passport.use(name, new BearerTokenStrategy(verify));
    }
  }

  it('are the document as it is committed, from inside the running service', async () => {
    const get = await start();
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { EXTRA_SCHEMAS } = await import('../api-document.js');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(buildDocument(app, EXTRA_SCHEMAS))));
  });

  it('are explored on a page without inline script, that no other page may frame', async () => {
    const get = await start();
    const response = await get('/docs');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe-eval/);
    const page = await response.text();
    expect(page).toContain('width=device-width');
    const scripts = [...page.matchAll(/<script([^>]*)>([^<]*)/g)];
    expect(scripts).toHaveLength(2);
    for (const [, attributes, content] of scripts) {
      expect(content).toBe('');
      const source = /src="([^"]+)"/.exec(attributes ?? '')?.[1] ?? '';
      const asset = await get(source);
      expect(asset.headers.get('content-type')).toMatch(/javascript/);
      expect((await asset.text()).length).toBeGreaterThan(100);
    }
    for (const [, style = ''] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
      expect((await get(style)).headers.get('content-type')).toMatch(/css/);
    }
    expect((await get('/docs/assets/package.json')).status).toBe(404);
    expect((await get('/docs/assets/constructor')).status).toBe(404);
  });

  it('fill the demo in for people at the machine', async () => {
    const get = await start();
    const demo = { email: 'owner@example.com', userToken: 'user-token', apiToken: TOKEN, environmentId: SANDBOX };
    expect(await (await get('/docs/start.json')).json()).toEqual({ consoleSdk: '/api/v0/sdk/console', demo });
    const document = (await (await get('/docs/openapi.json')).json()) as OpenApiDocument;
    const addDoor = document.paths['/environments/{environmentId}/doors']?.post;
    const [environmentId] = addDoor?.parameters ?? [];
    expect(environmentId).toMatchObject({ name: 'environmentId', example: SANDBOX });
    expect(addDoor?.security).toEqual([{ member: [] }, { apiToken: [] }]);
    expect(document.paths['/attic']?.post?.security).toEqual([{ member: [] }]);
    expect(Object.keys(document.components?.securitySchemes ?? {})).toEqual(['member', 'apiToken', 'endUser']);
    const unauthorized = { content: { 'application/json': { example: { code: 'unauthorized' } } } };
    expect(addDoor?.responses['401']).toMatchObject(unauthorized);
    expect(JSON.stringify(await (await get('/openapi.json')).json())).not.toContain(SANDBOX);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ])('keep the demo from %s', async (_name, headers) => {
    const get = await start();
    expect(await (await get('/docs/start.json', headers)).json()).toMatchObject({ demo: null });
    expect(await (await get('/docs/openapi.json', headers)).text()).not.toContain(SANDBOX);
  });

  it('show a page for every error, and a list for a code that does not exist', async () => {
    const get = await start();
    const list = await (await get('/docs/errors')).text();
    const codes = [...list.matchAll(/href="\/docs\/errors\/(\w+)"/g)].map(([, code]) => code);
    expect(codes).toContain('validation_failed');
    for (const code of codes) {
      const page = await get(`/docs/errors/${code}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toMatch(new RegExp(`<h1>${code}</h1>[^]*When it happens[^]*What to do[^]*Example`));
    }
    const missing = await get('/docs/errors/%3Cscript%3E');
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('&lt;script&gt;');
  });

  it('are for members in production, who show a personal token', async () => {
    admitMember('member-token');
    const get = await start(PRODUCTION);
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}`,
    });
    for (const path of ['/openapi.json', '/docs/openapi.json']) {
      const refused = await get(path);
      expect(refused.status).toBe(401);
      // The script of the explorer has a form of its own; a dialog of the browser would come before it.
      const isAsked = /^Basic realm="Gatehouse"/.test(refused.headers.get('www-authenticate') ?? '');
      expect([path, isAsked]).toEqual([path, path === '/openapi.json']);
      expect((await get(path, basic('guess'))).status).toBe(401);
      expect((await get(path, basic('member-token'))).status).toBe(200);
      expect((await get(path, { authorization: 'Bearer member-token' })).status).toBe(200);
    }
    expect((await get('/docs')).status).toBe(200);
    expect(await (await get('/docs/start.json', basic('member-token'))).json()).toMatchObject({ demo: null });
  });

  it('explain errors to everyone, in production as well', async () => {
    const get = await start(PRODUCTION);
    expect((await get('/docs/errors/not_found')).status).toBe(200);
  });
});
