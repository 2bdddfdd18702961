import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/ports.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import {
  databaseProcesses,
  environmentWith,
  run,
  SERVICE,
  ServiceProcess,
  type Environment,
  type Finished,
} from '../support/service-process.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-modes-'));
const MASTER_KEY = generateMasterKey();
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const databaseWith = (change: (url: URL) => void): string => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

describe('a start that cannot succeed', () => {
  const taken = createServer();
  const attempts = new Map<string, Finished>();

  const cases: [string, () => Environment, RegExp][] = [
    [
      'a port that is taken',
      () => ({ PORT: String((taken.address() as AddressInfo).port) }),
      /Port \d+ is in use by another program: .* PORT=/,
    ],
    ['a port that is none', () => ({ PORT: 'abc' }), /PORT must be a whole number from 0 to 65535 \(seen: "abc"\)/],
    [
      'a port of the figures that is taken',
      () => ({ METRICS_PORT: String((taken.address() as AddressInfo).port) }),
      /METRICS_PORT \d+ cannot be opened at METRICS_HOST 127\.0\.0\.1 \(EADDRINUSE\): choose another/,
    ],
    ['an address of another machine', () => ({ HOST: '192.0.2.1' }), /no address 192\.0\.2\.1: correct HOST/],
    [
      'a database out of reach',
      () => ({ DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x' }),
      /Nothing listens on 127\.0\.0\.1:1: check DATABASE_URL/,
    ],
    [
      'a wrong password',
      () => ({ DATABASE_URL: databaseWith((url) => (url.password = 'hidden')) }),
      /PostgreSQL rejected .*password in DATABASE_URL: correct/,
    ],
    [
      'a database that does not exist',
      () => ({ DATABASE_URL: databaseWith((url) => (url.pathname = '/absent')) }),
      /named in DATABASE_URL does not exist: create it/,
    ],
    [
      'a master key that is none',
      () => ({ MASTER_KEY: 'hidden' }),
      /MASTER_KEY cannot be used: .*not 32 bytes.* npm run cli -- keys generate/,
    ],
    [
      'the master key of another deployment',
      () => ({ MASTER_KEY: generateMasterKey() }),
      /neither MASTER_KEY nor another vault .*: start with the key/,
    ],
    [
      'a list that is not there',
      () => ({ SCAN_BLOCK_LISTS: join(folder, 'hidden.txt') }),
      /SCAN_BLOCK_LISTS: entry 1 must be an address .* or a file that can be read/,
    ],
    [
      'production without a master key',
      () => ({ NODE_ENV: 'production', MASTER_KEY: '' }),
      /MASTER_KEY is missing: .* npm run cli -- keys generate/,
    ],
    [
      'production without a database',
      () => ({ NODE_ENV: 'production', DATABASE_URL: '' }),
      /DATABASE_URL is missing: production needs an external PostgreSQL/,
    ],
    [
      'production without its address',
      () => ({ NODE_ENV: 'production', PUBLIC_URL: '' }),
      /PUBLIC_URL is missing: production needs the address/,
    ],
    [
      'quick-start data in production',
      () => ({ NODE_ENV: 'production', PUBLIC_URL: 'https://auth.example.com', SEED: 'true' }),
      /SEED is true: .* remove it/,
    ],
  ];

  // A dozen processes on two cores.
  beforeAll(async () => {
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const settings = { DATA_DIR: join(folder, 'data'), PORT: '0', DATABASE_URL: database.url, MASTER_KEY };
    // The first use of a database decides which master key belongs to it.
    const used = await run(['node', 'scripts/run.js', 'cli', 'keys', 'status'], settings);
    expect(used).toMatchObject({ code: 0, stderr: '' });
    await Promise.all(
      cases.map(async ([name, wrong]) => {
        attempts.set(name, await run(SERVICE, { ...settings, ...wrong() }));
      }),
    );
  }, 180_000);
  afterAll(() => void taken.close());

  test.each(cases)('because of %s says so in one line', (name, _, expected) => {
    const { code, stdout, stderr } = attempts.get(name)!;
    // In production everything is a line of JSON on the one output.
    expect([stdout, stderr]).toContain('');
    const said = stdout === '' ? stderr : `${(JSON.parse(stdout) as { msg: string }).msg}\n`;
    expect(said).toMatch(/^Gatehouse did not start: [^\n]+\n$/);
    expect(said).toMatch(expected);
    expect(said).not.toContain('hidden');
    expect(code).toBe(1);
  });
});

const MIGRATIONS = ['node', 'scripts/run.js', 'migrations', 'run'];
const UNREADABLE = { EGRESS_ALLOW: 'https://example.com/' };
const FAR_FIGURES = { METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' };
test.each<[string, Environment, RegExp, string[]?]>([
  ['an egress list that cannot be read', UNREADABLE, /EGRESS_ALLOW: "https:\/\/example\.com\/" is not a host/],
  ['an egress list that migrations cannot read', UNREADABLE, /EGRESS_ALLOW: /, MIGRATIONS],
  ['a host that does not exist', { HOST: 'absent.invalid' }, /absent\.invalid .*check HOST/],
  ['figures at an address of another machine', FAR_FIGURES, /METRICS_HOST must be .*192\.0\.2\.1", EADDRNOTAVAIL/],
  ['figures at the port of the API', { PORT: '4399', METRICS_PORT: '4399' }, /METRICS_PORT 4399 is PORT as well/],
  ['a master key that is none', { MASTER_KEY: 'hidden' }, /MASTER_KEY cannot be used: (?!.*hidden)/],
])('a first start with %s is refused before anything is created', async (_, wrong, expected, program = SERVICE) => {
  const dataDir = join(folder, randomUUID());
  const { code, stderr } = await run(program, { DATA_DIR: dataDir, PORT: '0', ...wrong });
  expect(stderr).toMatch(/^Gatehouse did not start: [^\n]+\n$/);
  expect(stderr).toMatch(expected);
  expect([code, existsSync(dataDir)]).toEqual([1, false]);
});

describe('a first start that is told to stop', () => {
  const moments: [string, RegExp, 'SIGINT' | 'SIGTERM'][] = [
    ['while its database is made', /creating a PostgreSQL cluster/, 'SIGINT'],
    ['while its database is filled', /PostgreSQL is listening/, 'SIGTERM'],
  ];

  test.each(moments)('%s stops what it has started', async (_, moment, signal) => {
    const service = ServiceProcess.spawn({ DATA_DIR: mkdtempSync(join(folder, 'stopped-')), PORT: '0' });
    try {
      await service.until(() => Promise.resolve(moment.test(service.output)));
      expect(await service.end(signal)).toBe(0);
      expect(service.output.trimEnd().split('\n').at(-1)).toBe('Gatehouse has stopped.');
      expect(databaseProcesses(service.dataDir)).toEqual([]);
    } finally {
      await service.discard();
    }
  });
});

describe('a command of the operator that is interrupted', () => {
  test.each<['SIGINT' | 'SIGTERM', number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('by %s leaves no database behind', async (signal, status) => {
    const settings = { DATA_DIR: mkdtempSync(join(folder, 'interrupted-')), PORT: '0' };
    const service = ServiceProcess.spawn(settings);
    try {
      await service.until(() => Promise.resolve(/PostgreSQL is listening/.test(service.output)));
      await service.end('SIGTERM');
      const words = ['scripts/run.js', 'cli', 'audit', 'verify', '--organization', randomUUID()];
      const child = spawn(process.execPath, words, {
        env: environmentWith(settings),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = once(child, 'exit');
      let said = '';
      for await (const chunk of child.stderr) {
        said += String(chunk);
        if (/PostgreSQL is listening/.test(said)) child.kill(signal);
      }
      expect(await ended).toEqual([status, null]);
      expect(databaseProcesses(service.dataDir)).toEqual([]);
    } finally {
      await service.discard();
    }
  });
});

test('whoever stops npm stops the service that `npm start` has started', async () => {
  const settings = { DATA_DIR: mkdtempSync(join(folder, 'npm-')), PORT: '0' };
  const npm = spawn('npm', ['start'], {
    env: environmentWith(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let said = '';
  const outputEnds = once(
    npm.stdout.on('data', (chunk: Buffer) => (said += chunk.toString())),
    'end',
  );
  try {
    await eventually('the service is ready', () => said.includes('Gatehouse is ready.'), 120_000);
    npm.kill('SIGTERM');
    // The service writes there as well, and keeps it open for as long as it runs.
    await Promise.race([outputEnds, sleep(30_000, undefined, { ref: false })]);
    expect(said).toContain('Gatehouse has stopped.');
    expect(databaseProcesses(settings.DATA_DIR)).toEqual([]);
  } finally {
    if (!said.includes('Gatehouse has stopped.')) process.kill(-npm.pid!, 'SIGTERM');
    await outputEnds;
  }
}, 180_000);

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const IDENTITY = '/dev/identity/authorize?redirect_uri=http://localhost/&state=s&code_challenge=c';

describe('in production', () => {
  const dataDirs = ['documented', 'quiet'].map((name) => join(folder, name));
  let services: ServiceProcess[];
  let urls: string[];

  beforeAll(async () => {
    const ports = [await freePort(), await freePort()];
    urls = ports.map((one) => `http://127.0.0.1:${one}`);
    services = dataDirs.map((dataDir, index) =>
      ServiceProcess.spawn({
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(ports[index]),
        PUBLIC_URL: urls[index]!,
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        MASTER_KEY,
        ...(index === 0 && { API_DOCS: 'true' }),
      }),
    );
    await Promise.all(
      services.map((one, index) =>
        one.until(() =>
          fetch(`${urls[index]}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      ),
    );
  }, 120_000);

  afterAll(async () => {
    for (const one of services ?? []) await one.end('SIGTERM');
  });

  const statusOf = async (index: number, path: string): Promise<number> =>
    (await fetch(`${urls[index]}${path}`)).status;

  test('the pages for developers do not exist', async () => {
    for (const index of [0, 1]) {
      for (const path of [
        '/dev/inbox',
        '/dev/mails',
        '/dev/webhooks',
        '/dev/app',
        '/dev/app/app.js',
        '/dev/identity',
        IDENTITY,
      ])
        expect([path, await statusOf(index, path)]).toEqual([path, 404]);
    }
  });

  test('the documents do not exist unless they are asked for, and are then for members', async () => {
    for (const path of ['/docs', '/openapi.json', '/docs/openapi.json', '/docs/start.json']) {
      expect([path, await statusOf(1, path)]).toEqual([path, 404]);
    }
    // The frame is there for all, so that members can sign in at it.
    for (const path of ['/docs', '/docs/start.json']) expect([path, await statusOf(0, path)]).toEqual([path, 200]);
    for (const path of ['/openapi.json', '/docs/openapi.json']) {
      expect([path, await statusOf(0, path)]).toEqual([path, 401]);
    }
  });

  test('a balancer is told that the instance is well', async () => {
    for (const index of [0, 1]) {
      expect(await (await fetch(`${urls[index]}/healthz`)).json()).toMatchObject({ status: 'ok' });
      // On a busy machine a signer may take longer to say that it is there than a balancer waits.
      const readiness = async () => (await fetch(`${urls[index]}/readyz`)).text();
      const well = JSON.stringify({ ready: true, reasons: [], degraded: [] });
      await eventually('the instance is well', async () => (await readiness()) === well, 30_000);
    }
  });

  test('nothing is made that was not asked for, and no secret is printed', () => {
    for (const dataDir of dataDirs) expect(existsSync(dataDir)).toBe(false);
    for (const { output } of services) expect(output).not.toMatch(/apiToken|ghe_|ghp_/);
  });

  test('the pages of errors are there, whether the documents are or not', async () => {
    for (const index of [0, 1]) {
      const page = await fetch(`${urls[index]}/docs/errors/unauthorized`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect((await page.text()).includes('href="/docs"')).toBe(index === 0);
    }
  });

  test('every line is JSON, the start names its addresses and the stop says that it stopped', async () => {
    // Opened ahead of a request that never comes, as browsers do. Nobody is waited for on it.
    const silent = await Promise.all(urls.map((url) => connected(Number(new URL(url).port))));
    for (const one of services) expect([await one.end('SIGTERM'), one.output]).toEqual([0, expect.any(String)]);
    for (const socket of silent) socket.destroy();
    for (const [index, { output }] of services.entries()) {
      const lines = output.trimEnd().split('\n');
      const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
      const port = new URL(urls[index]!).port;
      expect(said[0]).toMatch(
        new RegExp(`^Gatehouse is ready: http\\S+ \\(role all, listening on 127\\.0\\.0\\.1:${port}`),
      );
      expect(said.at(-1)).toBe('Gatehouse has stopped.');
      expect(said.join('\n')).not.toContain('cut off');
      expect(said.length).toBeLessThanOrEqual(4);
    }
  });

  test('a start that fails is one line of JSON as well', async () => {
    const { stdout, stderr, code } = await run(['node', 'scripts/start.js'], { NODE_ENV: 'production', PORT: 'abc' });
    const [line, ...more] = `${stdout}${stderr}`.trimEnd().split('\n');
    expect(JSON.parse(line!)).toMatchObject({ level: 'error', msg: expect.stringContaining('PORT must be') });
    expect([more, code]).toEqual([[], 1]);
  });
});
