import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { transformSync, type Options } from '@swc/core';
import ts from 'typescript';
import { SETTINGS } from '../src/config/index.js';
import { freePort } from './support/ports.js';
import { isForTests, readSources, virtual, type SourceFile } from './support/architecture/source-file.js';
import { findGuessableSecrets, parseCompose } from './support/deploy/compose.js';
import {
  allowedByIgnoreFile,
  copiedFromContext,
  copiedFromStages,
  execForm,
  parseDockerfile,
} from './support/deploy/dockerfile.js';
import { findNginx, localNginx, type NginxFolder } from './support/deploy/nginx.js';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('docker-compose.yml', () => {
  const compose = parseCompose(read('docker-compose.yml'));
  const { services } = compose;

  it('starts PostgreSQL, Redis, two API instances, two workers and the balancer', () => {
    expect(Object.keys(services).sort()).toEqual([
      'api-1',
      'api-2',
      'balancer',
      'postgres',
      'redis',
      'worker-1',
      'worker-2',
    ]);
    const roles = Object.entries(services).map(([name, { environment }]) => [name, environment?.['ROLE']]);
    expect(Object.fromEntries(roles)).toMatchObject({
      'api-1': 'api',
      'api-2': 'api',
      'worker-1': 'worker',
      'worker-2': 'worker',
    });
  });

  it('has no secret that is written down or may be left out', () => {
    const planted = parseCompose(`
      services:
        a: { environment: { MASTER_KEY: '\${MASTER_KEY:-secret}', POSTGRES_PASSWORD: '\${POSTGRES_PASSWORD}' } }
        b: { environment: { API_TOKEN: abc, DATABASE_URL: 'postgres://a:b@c/d' } }
        c: { command: ['redis-server', '--requirepass', '\${REDIS_PASSWORD:-redis}'] }
    `);
    expect(findGuessableSecrets(planted)).toEqual([
      'a.MASTER_KEY: MASTER_KEY may be missing',
      'a.POSTGRES_PASSWORD: POSTGRES_PASSWORD may be missing',
      'b.API_TOKEN: is written out',
      'b.DATABASE_URL: has credentials in an address',
      'c.command: REDIS_PASSWORD may be missing',
    ]);
    expect(findGuessableSecrets(compose)).toEqual([]);
    for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2']) {
      const environment = services[name]?.environment;
      expect(environment?.['MASTER_KEY']).toMatch(/^\$\{MASTER_KEY:\?/);
      expect(environment?.['DATABASE_URL']).toContain('${POSTGRES_PASSWORD:?');
    }
  });

  it('runs every instance in production, on the same database and Redis', () => {
    const instances = ['api-1', 'api-2', 'worker-1', 'worker-2'].map((name) => services[name]);
    for (const key of ['DATABASE_URL', 'REDIS_URL', 'MASTER_KEY', 'PUBLIC_URL', 'NODE_ENV']) {
      expect(new Set(instances.map((service) => service?.environment?.[key])).size).toBe(1);
    }
    expect(services['api-1']?.environment?.['NODE_ENV']).toBe('production');
    expect(services['api-1']?.environment?.['REDIS_URL']).toBe('redis://redis:6379');
  });

  it('passes what the explorer and mail need', () => {
    for (const name of ['api-1', 'api-2']) {
      const environment = services[name]?.environment ?? {};
      expect(environment['API_DOCS']).toMatch(/^\$\{API_DOCS:-(true|false)\}$/);
    }
    // Without a value of its own, a key takes that of the shell or of .env.
    for (const name of ['api-1', 'api-2', 'worker-1', 'worker-2']) {
      const environment = services[name]?.environment ?? {};
      expect([name, environment]).toEqual([name, expect.objectContaining({ SMTP_URL: null, MAIL_FROM: null })]);
      expect(Object.keys(environment).filter((key) => !(key in SETTINGS))).toEqual([]);
    }
  });

  it('publishes the balancer alone and keeps the databases away from it and from the world', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['balancer']);
    expect(compose.networks['storage']).toEqual({ internal: true });
    expect(services['postgres']?.networks).toEqual(['storage']);
    expect(services['redis']?.networks).toEqual(['storage']);
    expect(Object.keys(services['balancer']?.networks ?? {})).toEqual(['edge']);
  });

  it('checks the health of all that listens, and waits for it', () => {
    for (const name of ['postgres', 'redis', 'balancer']) expect(services[name]?.healthcheck?.test).toBeDefined();
    expect(services['api-1']?.depends_on).toEqual({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    expect(services['balancer']?.depends_on).toEqual({
      'api-1': { condition: 'service_healthy' },
      'api-2': { condition: 'service_healthy' },
    });
  });

  it('trusts the forwarded address of the balancer and of nobody else', () => {
    const address = (name: string): string | undefined => {
      const networks = services[name]?.networks;
      return Array.isArray(networks) ? undefined : networks?.['edge']?.ipv4_address;
    };
    expect(services['api-1']?.environment?.['TRUST_PROXY']).toBe(address('balancer'));
    const upstream = [...read('deploy/nginx.conf').matchAll(/server ([\d.]+):3000/g)].map(([, host]) => host);
    expect(upstream).toEqual([address('api-1'), address('api-2')]);
  });

  it('leaves an instance more time to stop than the service takes at most', () => {
    const [, milliseconds = ''] = /PATIENCE_MS = ([\d_]+)/.exec(read('src/bootstrap/shutdown.ts')) ?? [];
    expect(milliseconds).toMatch(/\d/);
    const grace = Number.parseInt(services['api-1']?.stop_grace_period ?? '', 10);
    expect(grace * 1000).toBeGreaterThan(Number(milliseconds.replaceAll('_', '')));
    expect(SETTINGS.DRAIN_SECONDS.read(undefined, true)).toBeLessThanOrEqual(5);
  });
});

describe('Dockerfile', () => {
  const instructions = parseDockerfile(read('Dockerfile'));
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

  it('copies what the repository has and the build context lets in', () => {
    const copied = copiedFromContext(instructions);
    expect(copied).toEqual(expect.arrayContaining(['src', 'migrations', 'extensions']));
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const allowed = allowedByIgnoreFile(read('.dockerignore'));
    expect(copied.filter((path) => !allowed.includes(path))).toEqual([]);
    expect(read('.dockerignore').split('\n')).toContain('*');
  });

  it('runs the compiled entry point directly, so that signals reach it', () => {
    const command = last.find(({ name }) => name === 'CMD');
    expect(command && execForm(command)).toEqual(['node', '--min-semi-space-size=8', 'dist/service.js']);
    expect(execForm({ name: 'CMD', rest: 'node dist/service.js' })).toBeNull();
    expect(read('scripts/bundle.js').includes("{ service: join(dist, 'src/service.js') }")).toBe(true);
    expect(last).toContainEqual({ name: 'STOPSIGNAL', rest: 'SIGTERM' });
  });

  it('ships the build and the production dependencies, without sources, as a user of no power', () => {
    expect(copiedFromStages(last)).toEqual([
      { stage: 'production-dependencies', path: 'node_modules' },
      { stage: 'build', path: 'dist' },
    ]);
    expect(copiedFromContext(last)).toEqual(['package.json', 'LICENSE']);
    const order = last.map(({ name }) => name);
    expect(last).toContainEqual({ name: 'USER', rest: 'node' });
    expect(order.indexOf('USER')).toBeLessThan(order.indexOf('CMD'));
    const health = last.find(({ name }) => name === 'HEALTHCHECK');
    expect(health?.rest).toContain('/healthz');
  });

  it('runs no install script of a package', () => {
    const installs = instructions.filter(({ name, rest }) => name === 'RUN' && rest.includes('npm ci'));
    expect(installs).toHaveLength(2);
    for (const { rest } of installs) expect(rest).toContain('--ignore-scripts');
  });

  it('runs on the Node that package.json asks for', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const images = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest.split(/[ @]/)[0]);
    expect(new Set(images)).toEqual(new Set([`node:${/\d+/.exec(engines.node)?.[0]}-bookworm-slim`]));
  });
});

/** Packages that code loads at run time and that an install of the production dependencies does not bring. */
/** Without what is imported for its type alone. */
const AS_MODULE: Options = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2024' },
};

function findMissingPackages(files: readonly SourceFile[], installed: ReadonlySet<string>): string[] {
  const found = files
    .filter((file) => !isForTests(file))
    .flatMap(({ path, text }) => {
      const { importedFiles } = ts.preProcessFile(transformSync(text, AS_MODULE).code);
      return importedFiles.map(({ fileName }) => ({ path, specifier: fileName }));
    })
    .filter(({ specifier }) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map(({ path, specifier }) => ({ path, name: /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier }));
  return found.filter(({ name }) => !installed.has(name)).map(({ path, name }) => `${path}: ${name}`);
}

describe('production dependencies', () => {
  it('are all that the compiled service imports', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const installed = new Set(Object.keys(dependencies));
    const planted = virtual({
      'src/a.ts':
        "import { readFileSync } from 'node:fs';\nimport yaml from 'yaml';\nyaml.parse(readFileSync('a', 'utf8'));",
      'src/b.ts': "import type { Node } from 'typescript';\nexport const b: Node[] = [];",
      'src/c.ts': "export const c = () => import('@swc/core');",
      'src/d.spec.ts': "import '@jest/globals';",
    });
    expect(findMissingPackages(planted, installed)).toEqual(['src/a.ts: yaml', 'src/c.ts: @swc/core']);
    const sources = ['src', 'migrations', 'extensions'].flatMap((folder) => readSources(root, folder));
    expect(findMissingPackages(sources, installed)).toEqual([]);
  });
});

const nginx = findNginx();

(nginx ? describe : describe.skip)('deploy/nginx.conf', () => {
  const run = promisify(execFile);
  const text = read('deploy/nginx.conf');
  const bodies: string[] = [];
  const breaking = createServer((incoming) => {
    bodies.push(`breaking ${incoming.method}`);
    incoming.socket.destroy();
  });
  const working = createServer((incoming, response) => {
    bodies.push(`working ${incoming.method}`);
    response.setHeader('seen', JSON.stringify(incoming.headers));
    response.end('answered');
  });
  let folder: NginxFolder;
  let balancer: ChildProcess;
  let port: number;

  const listen = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const ask = (method: string, headers: Record<string, string> = {}): Promise<{ status: number; seen: string }> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path: '/a', headers, agent: false }, (response) => {
        response.resume().once('end', () => {
          resolve({ status: response.statusCode ?? 0, seen: String(response.headers['seen']) });
        });
      });
      sent.once('error', reject).end();
    });

  beforeAll(async () => {
    const instances = [await listen(breaking), await listen(working)];
    port = await freePort();
    // Both stay in the rotation here, so that every request may meet the instance that breaks.
    folder = localNginx(text.replaceAll('max_fails=1', 'max_fails=0'), port, instances);
    balancer = spawn(nginx ?? '', ['-p', folder.path, '-c', folder.config, '-g', 'daemon off; master_process off;'], {
      stdio: 'ignore',
    });
    for (let attempt = 0; attempt < 500; attempt += 1) {
      if (
        await ask('GET').then(
          () => true,
          () => false,
        )
      )
        break;
      await delay(20);
    }
  });

  afterAll(async () => {
    const ended = once(balancer, 'exit');
    balancer.kill('SIGTERM');
    await ended;
    folder.remove();
    for (const server of [breaking, working]) server.close().closeAllConnections();
  });

  it('is accepted by nginx', async () => {
    const shipped = localNginx(text, port, [1, 2]);
    const broken = localNginx(text.replace('least_conn;', 'least_conm;'), port, [1, 2]);
    try {
      const { stderr } = await run(nginx ?? '', ['-t', '-p', shipped.path, '-c', shipped.config]);
      expect(stderr).toContain('test is successful');
      await expect(run(nginx ?? '', ['-t', '-p', broken.path, '-c', broken.config])).rejects.toThrow('least_conm');
    } finally {
      shipped.remove();
      broken.remove();
    }
  });

  it('asks the other instance when a GET breaks, and never repeats a POST', async () => {
    bodies.length = 0;
    const reads = [];
    for (let count = 0; count < 6; count += 1) reads.push((await ask('GET')).status);
    expect(new Set(reads)).toEqual(new Set([200]));
    expect(bodies).toContain('breaking GET');

    bodies.length = 0;
    const writes = [];
    for (let count = 0; count < 6; count += 1) writes.push((await ask('POST', { 'content-length': '0' })).status);
    expect(bodies).toHaveLength(6);
    expect(new Set(bodies)).toEqual(new Set(['breaking POST', 'working POST']));
    expect(new Set(writes)).toEqual(new Set([200, 502]));
  });

  it('adds the address it was called from, and an id of its own', async () => {
    const given = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'from-the-client' };
    const seen = JSON.parse((await ask('GET', given)).seen) as Record<string, string>;
    expect(seen['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1');
    expect(seen['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('passes on the name that it was asked by, with its port', async () => {
    const seen = JSON.parse((await ask('GET', { host: 'auth.example.com:8443' })).seen) as Record<string, string>;
    expect(seen['host']).toBe('auth.example.com:8443');
  });
});
