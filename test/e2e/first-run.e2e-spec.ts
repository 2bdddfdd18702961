import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TOKEN_SCOPES } from '../../src/auth/index.js';
import { findFreePort } from '../../src/database/embedded/free-port.js';
import { findPostmaster } from '../../src/database/embedded/postmaster-file.js';
import type { Quickstart } from '../../src/dev/index.js';
import { examine } from '../../src/doctor/examine.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { TestClient } from '../support/client.js';
import { eventually } from '../support/receiver.js';
import { fencesOf } from '../support/readme/commands.js';
import {
  databaseProcesses,
  environmentWith,
  run,
  ServiceProcess,
  type Environment,
  type Finished,
} from '../support/service-process.js';
import { newLogin, queryOf } from '../support/telegram.js';

/** Stands for the folder of a clone: the data is in `.data` below it, where the README looks for it. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-run-'));
const DATA_DIR = join(folder, '.data');
const SECRET_FILES = ['master.key', 'postgres.password', 'quickstart.json'];
/** Nearly every test starts programs, each of which needs seconds of a machine that is busy. */
jest.setTimeout(180_000);

/** An installation without mail. */
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'http://127.0.0.1:1',
  DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x',
  MASTER_KEY: generateMasterKey(),
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface Caught {
  id: string;
  at: string;
  headers: Record<string, string>;
  body: { messageId: string; eventName: string; redelivery: boolean; sample?: boolean };
  verified: boolean | null;
}
interface Letter {
  id: string;
  at: string;
  channel: string;
  to: string;
  subject: string;
  text: string;
  code: string;
}
interface Delivery {
  messageId: string;
  status: string;
}

let port: number;
let settings: { DATA_DIR: string; PORT: string };
let service: ServiceProcess;
let first: Quickstart;

const base = (): string => new URL(first.api).origin;
const clientOf = (token: string | null = null): TestClient => new TestClient(base(), token);
const sandboxPath = (rest: string): string => `/environments/${first.environments.sandbox.id}${rest}`;
const sandbox = (): TestClient => clientOf(first.environments.sandbox.apiToken);
/** As the README starts it; other suites start the file of the image. */
const npmStart = (more: Environment = {}): Promise<ServiceProcess> =>
  ServiceProcess.start({ ...settings, ...more }, 'modules');
const program = (...words: string[]) => run(['node', 'scripts/run.js', ...words], settings);

async function jsonOf<T>(url: string): Promise<T> {
  const answer = await fetch(url, { headers: { accept: 'application/json' } });
  return (await answer.json()) as T;
}

/** This machine is sent three codes a minute, and a new start begins anew: there are no more of these between two. */
async function signIn(email: string, environmentId: string): Promise<string> {
  const path = `/sdk/${environmentId}/emailVerifications/create`;
  const sent = await clientOf().post<{ verificationUUID: string }>(path, { email }, { expect: 201 });
  const { verificationUUID } = sent.body;
  const letter = (await jsonOf<Letter[]>(first.inbox)).find(({ to }) => to === email);
  const answer = await clientOf().post<{ jwt: string }>(
    `/sdk/${environmentId}/emailVerifications/signin`,
    { verificationUUID, verificationToken: letter?.code },
    { expect: 200 },
  );
  return answer.body.jwt;
}

/** Signs in to the sandbox with a login at the messaging network. @returns the code of a refusal, none when it is believed */
async function signInWithLogin(telegramAuthToken: string): Promise<string | undefined> {
  const { id } = first.environments.sandbox;
  const { status, body } = await clientOf().post<{ code?: string }>(`/sdk/${id}/telegram/signin`, {
    telegramAuthToken,
  });
  expect([200, 422]).toContain(status);
  return body.code;
}

/** Signed with a word that anybody can read here. */
const forged = (): string => queryOf(newLogin(), 'development');

/** What the page of the imitated network sends a browser of this machine back with. */
async function imitatedLogin(name: string): Promise<string> {
  const query = new URLSearchParams({ return_to: `${first.api}/`, name }).toString();
  const page = `${base()}/dev/identity/messaging/continue?${query}`;
  const sent = await fetch(page, { redirect: 'manual' });
  return new URL(sent.headers.get('location')!).searchParams.toString();
}

beforeAll(async () => {
  port = await findFreePort(3000);
  settings = { DATA_DIR, PORT: String(port) };
  service = await npmStart();
  first = service.quickstart;
}, 180_000);

afterAll(async () => {
  await service?.discard();
  rmSync(folder, { recursive: true, force: true });
});

describe('a first start', () => {
  test('writes exactly the documented keys', () => {
    expect(first).toEqual({
      api: `http://localhost:${port}/api/v0`,
      docs: `http://localhost:${port}/docs`,
      openapi: `http://localhost:${port}/openapi.json`,
      inbox: `http://localhost:${port}/dev/inbox`,
      catcher: `http://localhost:${port}/dev/webhooks`,
      organizationId: expect.stringMatching(UUID),
      projectId: expect.stringMatching(UUID),
      consoleEnvironmentId: expect.stringMatching(UUID),
      environments: {
        sandbox: { id: expect.stringMatching(UUID), apiToken: expect.any(String) },
        live: { id: expect.stringMatching(UUID), apiToken: expect.any(String) },
      },
      dashboard: { email: 'owner@example.com', userToken: expect.any(String) },
    });
  });

  test('prints the same in one block of plain lines', () => {
    const block = service.output.slice(service.output.indexOf('Gatehouse is ready.'));
    const values = Object.values({ ...first, ...first.environments.sandbox, ...first.environments.live }).concat(
      Object.values(first.dashboard),
    );
    for (const value of values.filter((one) => typeof one === 'string')) expect(block).toContain(value);
    expect(block).toMatch(/^[\n -~]+$/);
    expect(block.split('\n').filter((line) => line.startsWith('  ')).length).toBe(14);
    expect(service.output).not.toMatch(/^\(node:\d+\)|Warning:/m);
  });

  test('keeps to its file what is logged of the demo, such as its failed message, and says where it is', () => {
    const path = join(DATA_DIR, 'demo.log');
    expect(service.output).toContain('The first webhook of the demo fails on purpose');
    expect(service.output).toContain(`is in ${path}.`);
    expect(service.output).not.toMatch(/security=|given up|ERROR|WARN/);
    const log = readFileSync(path, 'utf8');
    expect(log).toMatch(/ WARN \[Deliveries\] given up .*status=410/);
    expect(log.match(/ LOG \[Security\] .*security=credential\.issued/g)).toHaveLength(3);
    expect(log).toMatch(/^[\n -~]+$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('leaves its secrets to their owner alone', () => {
    const modes = SECRET_FILES.map((name) => statSync(join(DATA_DIR, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
  });

  test('issues tokens with every scope of their environment', async () => {
    for (const { id, apiToken } of Object.values(first.environments)) {
      const { body } = await clientOf(apiToken).get<{ tokens: { scopes: string[] }[] }>(`/environments/${id}/tokens`, {
        expect: 200,
      });
      expect(body.tokens.map(({ scopes }) => [...scopes].sort())).toEqual([[...TOKEN_SCOPES.values].sort()]);
    }
    expect(TOKEN_SCOPES.values).toHaveLength(14);
    const { sandbox: own, live } = first.environments;
    await clientOf(own.apiToken).get(`/environments/${live.id}/users`, { expect: 404 });
  });

  test('issues a token of the owner', async () => {
    const owner = clientOf(first.dashboard.userToken);
    const { body } = await owner.get<{ organizations: unknown }>('/organizations', { expect: 200 });
    expect(body.organizations).toEqual([expect.objectContaining({ id: first.organizationId, role: 'owner' })]);
    await owner.get(`/projects/${first.projectId}`, { expect: 200 });
    await clientOf(`${first.dashboard.userToken.slice(0, -1)}~`).get('/organizations', { expect: 401 });
  });

  test('has three users, one of them with a wallet', async () => {
    const { body } = await sandbox().get<{ count: number; users: { wallets: unknown[] }[] }>(sandboxPath('/users'));
    expect(body.count).toBe(3);
    expect(body.users.map(({ wallets }) => wallets.length > 0).sort()).toEqual([false, false, true]);
  });

  test('has a gate, an allowlist and two custom fields, which refuse nobody', async () => {
    const read = async (path: string) => (await sandbox().get(sandboxPath(path), { expect: 200 })).body;
    expect(await read('/gates')).toMatchObject({ gates: [{ name: 'Dollar holders', rules: [{ type: 'token' }] }] });
    expect(await read('/allowlists')).toMatchObject([{ name: 'Invited', outcome: 'scope' }]);
    const fields = await read('/custom/fields');
    expect(fields).toMatchObject([
      { enabled: true, required: false },
      { enabled: true, required: false },
    ]);
  });

  test('shows received webhooks, with the result of the signature check, newest first', async () => {
    const caught = await eventually('they have come', async () => {
      const all = await jsonOf<Caught[]>(first.catcher);
      return all.length >= 4 ? all : null;
    });
    for (const one of caught) {
      expect(Object.keys(one)).toEqual(['id', 'at', 'headers', 'body', 'verified']);
      expect(one.verified).toBe(true);
      expect(one.headers['webhook-signature']).toMatch(/^v1,/);
    }
    const times = caught.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('has a webhook with deliveries, and the failed one can be resent', async () => {
    const { body } = await sandbox().get<{ data: { webhookId: string; url: string; isEnabled: boolean }[] }>(
      sandboxPath('/webhooks'),
    );
    expect(body.data).toEqual([expect.objectContaining({ url: first.catcher, isEnabled: true })]);
    const messages = sandboxPath(`/webhooks/${body.data[0]?.webhookId}/messages`);
    const data = await eventually('each was tried', async () => {
      const { body: page } = await sandbox().get<{ data: Delivery[] }>(messages);
      const open = page.data.filter(({ status }) => ['pending', 'sending'].includes(status));
      return open.length === 0 ? page.data : null;
    });
    expect(data.filter(({ status }) => status === 'delivered').length).toBeGreaterThanOrEqual(3);
    const failed = data.filter(({ status }) => status !== 'delivered');
    expect(failed).toHaveLength(1);

    const again = (one: Caught): boolean => one.body.messageId === failed[0]?.messageId && one.body.redelivery;
    expect((await jsonOf<Caught[]>(first.catcher)).filter(again)).toEqual([]);
    await sandbox().post(`${messages}/${failed[0]?.messageId}/redeliver`, undefined, { expect: 200 });
    await eventually('sent again', async () => (await jsonOf<Caught[]>(first.catcher)).some(again));
    const received = (await jsonOf<Caught[]>(first.catcher)).filter(again);
    expect(received).toEqual([expect.objectContaining({ verified: true })]);
  });

  test('accepts logins of its simulated messaging network only if signed', async () => {
    expect(await signInWithLogin(await imitatedLogin('Ann'))).toBeUndefined();
    expect(await signInWithLogin(forged())).toBe('telegram_login_invalid');
  });

  test('lets only local pages, on any port, call its sandbox, and none its live environment', async () => {
    /** What a browser is told that asks first, and with the answer itself. */
    const admitted = async (kind: 'sandbox' | 'live', origin: string): Promise<(string | null)[]> => {
      const url = `${first.api}/sdk/${first.environments[kind].id}/settings`;
      const asking = { origin, 'access-control-request-method': 'GET' };
      const answers = [
        await fetch(url, { method: 'OPTIONS', headers: asking }),
        await fetch(url, { headers: { origin } }),
      ];
      return answers.map(({ headers }) => headers.get('access-control-allow-origin'));
    };
    const loopback = ['http://localhost:5173', 'http://localhost:61234', 'http://localhost'].flatMap((origin) => [
      origin,
      origin.replace('localhost', '127.0.0.1'),
    ]);
    for (const origin of loopback) {
      expect([origin, ...(await admitted('sandbox', origin))]).toEqual([origin, origin, origin]);
      expect([origin, ...(await admitted('live', origin))]).toEqual([origin, null, null]);
    }
    for (const origin of [
      'http://192.168.1.10:5173',
      'http://localhost.example.com:5173',
      'http://127.0.0.1.example.com',
      'https://shop.example.com',
      'null',
    ]) {
      expect([origin, ...(await admitted('sandbox', origin))]).toEqual([origin, null, null]);
    }

    const { id, apiToken } = first.environments.live;
    const add = (origin: string) =>
      clientOf(apiToken).post<{ code?: string }>(`/environments/${id}/origins`, { origin });
    expect((await add('http://localhost:*')).body.code).toBe('invalid_cors_origins');
    const site = 'https://shop.example.com';
    expect((await add(site)).status).toBe(201);
    await eventually('the site is known', async () => (await admitted('live', site)).every((one) => one === site));
  });

  test('makes the README commands produce a token that verifies, twice in a row', async () => {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const readme = readFileSync('README.md', 'utf8');
    const section = readme.slice(readme.indexOf('## Try it')).split(/^## /m)[1] ?? '';
    const blocks = fencesOf(section).filter(({ language }) => language === 'sh');
    expect(blocks.length).toBeGreaterThan(0);
    const { code, stdout, stderr } = await run(
      ['bash', '-c', blocks.map(({ text }) => text).join('\n')],
      settings,
      folder,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { jwt, user } = JSON.parse(stdout) as { jwt: string; user: { id: string } };
    const keys = createRemoteJWKSet(new URL(`${first.api}/sdk/${first.environments.sandbox.id}/.well-known/jwks`));
    const { payload } = await jwtVerify(jwt, keys);
    expect(payload.sub).toBe(user.id);

    const again = await run(['bash', '-c', blocks.map(({ text }) => text).join('\n')], settings, folder);
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });

    const [program] = fencesOf(section).filter(({ language }) => language === 'js');
    const verify = (token: string, text = program!.text) =>
      run(['node', '--input-type=module', '--eval', text.replace('argv[2]', 'argv[1]'), token], settings, folder);
    expect(await verify(jwt)).toEqual({ code: 0, stdout: `${user.id}\n`, stderr: '' });
    // A program of another site takes no token that was made for this one.
    const ofAnotherSite = program!.text.replace('audience: origin', "audience: 'https://shop.example.com'");
    expect(ofAnotherSite).not.toBe(program!.text);
    expect(await verify(jwt, ofAnotherSite)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('unexpected "aud" claim value'),
    });
    const foreign = await signIn('live@example.com', first.environments.live.id);
    expect(await verify(foreign)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/JWSSignature|JWKSNoMatchingKey/),
    });
  });

  test('shows the emails sent', async () => {
    const letters = await jsonOf<Letter[]>(first.inbox);
    expect(letters.length).toBeGreaterThan(1);
    for (const letter of letters) {
      expect(Object.keys(letter)).toEqual(['id', 'at', 'channel', 'to', 'subject', 'text', 'code']);
    }
    expect(letters[0]).toMatchObject({
      channel: 'email',
      to: expect.stringMatching(/@example\.com$/),
      code: expect.stringMatching(/^\d{6}$/),
    });
    expect(letters[0]?.text).toContain(letters[0]?.code);
  });

  test('has error pages under its own address', async () => {
    const { body } = await clientOf().get<{ docUrl: string }>('/organizations', { expect: 401 });
    expect(body.docUrl).toMatch(`http://localhost:${port}/docs/errors/`);
    const page = await fetch(body.docUrl);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const document = await jsonOf<{ openapi: string }>(first.openapi);
    expect(document.openapi).toMatch(/^3\.1/);
  });
});

describe('the doctor', () => {
  const UNREADABLE: Environment = { PORT: 'abc' };
  const mistakes: [Environment, RegExp][] = [
    [UNREADABLE, /^fail {2}Configuration .*PORT .* fix: /m],
    [{ DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x' }, /^fail {2}Database .*ECONNREFUSED.* fix: .*DATABASE_URL/m],
    [{ MASTER_KEY: 'short' }, /^fail {2}Master key .* fix: .*MASTER_KEY/m],
    [{ ...PRODUCTION, PUBLIC_URL: '' }, /^fail {2}Configuration .*PUBLIC_URL is missing/m],
    [PRODUCTION, /^fail {2}Mail .*nobody can sign in by email.* fix: set SMTP_URL/m],
  ];
  const HEALTHY: Environment = {};
  const examinations = new Map<Environment, Pick<Finished, 'code' | 'stdout'>>();
  const asProgram = (more: Environment) => run(['node', 'scripts/run.js', 'doctor'], { ...settings, ...more });
  /** What the program does, without loading the service once more. */
  const here = async (more: Environment) => {
    const lines: string[] = [];
    const code = await examine((line) => lines.push(`${line}\n`), environmentWith({ ...settings, ...more }));
    return { code, stdout: lines.join('') };
  };
  // Each waits for what does not answer; they wait together.
  beforeAll(async () => {
    const look = async (more: Environment): Promise<void> => {
      const isOfProgram = more === HEALTHY || more === UNREADABLE;
      examinations.set(more, await (isOfProgram ? asProgram(more) : here(more)));
    };
    await Promise.all([HEALTHY, ...mistakes.map(([wrong]) => wrong)].map(look));
  });

  test('reports each part of a healthy deployment as well, in one line', () => {
    const { code, stdout } = examinations.get(HEALTHY)!;
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !/^ok {4}\S/.test(line))).toEqual([]);
    expect(code).toBe(0);
    for (const part of [
      'Node.js',
      'Database',
      'Audit trail',
      'Redis',
      'Clock',
      'Public URL',
      'Mail',
      'SMS',
      'Chain data',
      'Gates and screening',
      'Ramps and exchanges',
      'Nodes of tenants',
      'Row-level security',
      'Master key',
      'Stored secrets',
      'Signer',
    ]) {
      expect(lines.filter((line) => line.includes(`  ${part}  `))).toHaveLength(1);
    }
    expect(stdout).toMatch(/Signing keys +1 published/);
    expect(stdout).toMatch(/Webhook egress +/);
  });

  test.each(mistakes)('finds what is wrong with %p', (wrong, expected) => {
    const { code, stdout } = examinations.get(wrong)!;
    expect(stdout).toMatch(expected);
    expect(stdout).not.toMatch(/hidden|^\s+at /m);
    expect(code).toBe(1);
  });
});

describe('the commands for operators', () => {
  const TRIGGER = ['trigger', 'user.deleted'];
  const refused: [string[], string][] = [
    [['keys'], 'Usage: npm run cli'],
    [[], 'Usage: npm run cli'],
  ];
  const finished = new Map<string[], Finished>();
  // A program takes seconds to begin; they begin together.
  beforeAll(async () => {
    const catcher = ['--environment', first.environments.sandbox.id, '--forward', first.catcher];
    const execute = async (words: string[], more: string[] = []): Promise<void> => {
      finished.set(words, await program('cli', ...words, ...more));
    };
    await Promise.all([execute(TRIGGER, catcher), ...refused.map(([words]) => execute(words))]);
  });

  test.each(refused)('refuse %p with what is expected instead', (words, expected) => {
    const { code, stdout, stderr } = finished.get(words)!;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('send the catcher samples with valid signatures: it knows the secret of this folder', async () => {
    expect(finished.get(TRIGGER)).toMatchObject({ code: 0 });
    const samples = (await jsonOf<Caught[]>(first.catcher)).filter(({ body }) => body.sample);
    expect(samples).toEqual([expect.objectContaining({ verified: true })]);
  });
});

/** To the bot of the sandbox at the messaging network. */
async function giveBotToken(clientSecret: string): Promise<void> {
  const { body } = await sandbox().get<{ providers: { id: string; provider: string }[] }>(
    sandboxPath('/settings/providers'),
    { expect: 200 },
  );
  const bot = body.providers.find(({ provider }) => provider === 'telegram');
  await sandbox().put(`/settings/providers/${bot?.id}`, { clientSecret }, { expect: 200 });
}

describe('later starts', () => {
  const tokens = async (): Promise<void> => {
    await sandbox().get(sandboxPath('/users'), { expect: 200 });
    await clientOf(first.dashboard.userToken).get('/organizations', { expect: 200 });
  };

  test('after a kill take over the remaining database server, keep everything, and stop it', async () => {
    await giveBotToken('development');
    expect(await signInWithLogin(forged())).toBeUndefined();
    const before = (await sandbox().get<{ count: number }>(sandboxPath('/users'))).body.count;
    const failing = { url: `${first.catcher}/fail`, isEnabled: true, events: [] };
    await sandbox().post(sandboxPath('/webhooks'), failing, { expect: 201 });
    await service.end('SIGKILL');
    expect(databaseProcesses(DATA_DIR).length).toBeGreaterThan(0);

    service = await npmStart();
    expect(service.output).toContain('already running');
    expect(service.quickstart).toEqual(first);
    expect((await sandbox().get<{ count: number }>(sandboxPath('/users'))).body.count).toBe(before);
    await tokens();
    // A sandbox of long ago has a token that anybody knows, until the next start.
    expect(await signInWithLogin(forged())).toBe('telegram_login_invalid');
    expect(await signInWithLogin(await imitatedLogin('Ann'))).toBeUndefined();

    expect(await service.end('SIGINT')).toBe(0);
    expect(databaseProcesses(DATA_DIR)).toEqual([]);
    expect(findPostmaster(join(DATA_DIR, 'postgres'))).toBeNull();
  });

  /** How soon they are ready is in developer-speed. */
  test('have the same data, tokens and port', async () => {
    service = await npmStart();
    expect(service.quickstart).toEqual(first);
    await tokens();
    const { body } = await sandbox().get<{ data: { url: string }[] }>(sandboxPath('/webhooks'));
    expect(body.data.map(({ url }) => url).sort()).toEqual([first.catcher, `${first.catcher}/fail`]);
  });

  test('let the owner of an organization created by a command sign in by code and see it', async () => {
    const email = 'second-owner@example.com';
    const { code, stdout } = await program('cli', 'organizations', 'create', '--name', 'Second', '--owner', email);
    expect(code).toBe(0);
    expect(stdout).toContain(`${first.api}/sdk/${first.consoleEnvironmentId}/emailVerifications/create`);
    const id = /^organization +(\S+)$/m.exec(stdout)?.[1];

    const jwt = await signIn(email, first.consoleEnvironmentId);
    const { body } = await clientOf(jwt).get<{ organizations: { id: string; name: string; role: string }[] }>(
      '/organizations',
      { expect: 200 },
    );
    expect(body.organizations).toEqual([{ id, name: 'Second', role: 'owner' }]);
  });

  test('create another demo after the first one’s project was deleted, without an invalid token anywhere', async () => {
    const before = first;
    const { sandbox: dead, live } = before.environments;
    const owner = clientOf(await signIn(before.dashboard.email, before.consoleEnvironmentId));
    const projects = `/organizations/${before.organizationId}/projects`;
    await owner.post(projects, { name: 'The real thing' }, { expect: 200 });
    await owner.delete(`/projects/${before.projectId}`, { expect: 204 });
    await eventually('the file is gone', () => !existsSync(join(DATA_DIR, 'quickstart.json')));
    await eventually('the terminal says it', () => service.output.includes('The demo was deleted with its project'));
    for (const path of ['/docs/start.json', '/docs/openapi.json', '/dev', '/dev/app', '/llms.txt']) {
      const text = await (await fetch(`${base()}${path}`)).text();
      const seen = [dead.id, dead.apiToken, live.apiToken, before.dashboard.userToken].filter((one) =>
        text.includes(one),
      );
      expect([path, seen]).toEqual([path, []]);
    }
    expect(await service.end('SIGTERM')).toBe(0);
    expect(databaseProcesses(DATA_DIR)).toEqual([]);

    service = await npmStart();
    first = service.quickstart;
    expect(first.projectId).not.toBe(before.projectId);
    expect(service.output).toContain(first.environments.sandbox.apiToken);
    await tokens();
    expect(await service.end('SIGTERM')).toBe(0);
  });

  test('work with only a new master key created by a command, once others have counted and moved everything', async () => {
    const older = readFileSync(join(DATA_DIR, 'master.key'), 'utf8').trim();
    const keys = (word: string, more: Environment = {}) =>
      run(['node', 'scripts/run.js', 'cli', 'keys', word], { ...settings, ...more });
    const made = await keys('generate');
    expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{8}:[A-Za-z0-9+/]{43}=\n$/), stderr: '' });
    const newer = made.stdout.trim();
    const both = { MASTER_KEY: `${newer},${older}` };
    const status = await keys('status', both);
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/^wallet_seeds\S+ {2}\d+ under/m);
    expect(status.stdout).toMatch(/^signing_keys\S+ {2}[1-9]\d* under/m);
    const rotated = await keys('rewrap', both);
    expect(rotated.stdout).toMatch(/^signing_keys\S+ {2}\d+ rewrapped, 0 left$/m);
    expect(rotated.stdout).toMatch(/^Every sealed record is under the current master key/m);
    expect(rotated.code).toBe(0);

    service = await npmStart({ MASTER_KEY: newer });
    await tokens();
    const jwt = await signIn('after-rotation@example.com', first.environments.sandbox.id);
    expect(jwt.split('.')).toHaveLength(3);
    expect(await service.end('SIGINT')).toBe(0);
  });
});
