import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { freePort, isFree } from '../support/ports.js';
import { eventually } from '../support/receiver.js';
import { fencesOf, type Fence } from '../support/readme/commands.js';
import { environmentWith, run, ServiceProcess, type Finished } from '../support/service-process.js';

/** Programs are started one after the other, each of which needs seconds of a machine that is busy. */
jest.setTimeout(180_000);

/** Stands for the folder of a reader. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-recipes-'));
const page = readFileSync('docs/recipes.md', 'utf8');
const SAYS = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n$/;

let service: ServiceProcess;
let hook: number;
let chain: number;
let jwt: string;

const blocksOf = (heading: string): Fence[] =>
  fencesOf(page.split(/^## /m).find((one) => one.startsWith(heading)) ?? '');

/** What a reader does with a part of the page: saves its programs and gives its commands, here those of a shell before. */
async function follow(heading: string, { before = '', after = '' } = {}): Promise<Finished> {
  const blocks = blocksOf(heading);
  for (const { source, text } of blocks.filter(({ source: name }) => name !== '')) {
    writeFileSync(join(folder, source), text);
  }
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  expect(commands).toHaveLength(1);
  const ports = { '4000': hook, '8545': chain };
  const script = [before, ...commands, after]
    .join('\n')
    .replaceAll(/4000|8545/g, (port) => String(ports[port as keyof typeof ports]));
  return run(['bash', '-c', script], { jwt, no_proxy: 'localhost,127.0.0.1' }, folder);
}

beforeAll(async () => {
  jwt = '';
  [hook, chain] = [await freePort(), await freePort()];
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const port = String(await freePort());
  service = await ServiceProcess.start({ DATA_DIR: join(folder, '.data'), PORT: port, RATE_LIMIT_SCALE: '100' });
}, 180_000);
afterAll(async () => {
  await service?.discard();
  rmSync(folder, { recursive: true, force: true });
});

describe('the page of recipes, followed from its beginning to its end', () => {
  it('has no program that is not run here', () => {
    const headings = ['Sign somebody in', 'Verify a token in Node', 'Verify a token in Python', 'Receive webhooks'];
    const gates = ['Let in who is on a list', 'Let in who holds a token'];
    const told = [...headings, ...gates, 'A wallet that signs'].flatMap(blocksOf);
    expect(fencesOf(page).map(({ text }) => text)).toEqual(told.map(({ text }) => text));
    expect(told.filter(({ language, source }) => language !== 'sh' && source === '')).toEqual([]);
  });

  it('says how many codes a machine gets, as the operation does, and with which limits this suite follows it', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
    const { post } = paths['/sdk/{environmentId}/emailVerifications/create'];
    expect(post['x-limits']).toContain('3 requests per minute and client address');
    expect(page).toMatch(/at most three sign-in codes a minute.*`RATE_LIMIT_SCALE=100 npm start`/s);
  });

  it('signs somebody in', async () => {
    const { stdout } = await follow('Sign somebody in', { after: 'echo "$jwt"' });
    jwt = stdout.trim();
    expect(jwt.split('.')).toHaveLength(3);
  });

  it.each(['Node', 'Python'])('verifies the token in %s, and refuses what is none', async (language) => {
    const heading = `Verify a token in ${language}`;
    expect(await follow(heading)).toMatchObject({ code: 0, stdout: expect.stringMatching(SAYS) });
    const [head, claims, signature] = jwt.split('.') as [string, string, string];
    const other = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'somebody else' };
    const plain = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const changed = Buffer.from(JSON.stringify(other)).toString('base64url');
    for (const forged of [
      [head, changed, signature],
      [plain, changed, ''],
      [head, claims, signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`],
    ]) {
      const { code, stdout } = await follow(heading, { before: `jwt='${forged.join('.')}'` });
      expect([code, stdout]).toEqual([1, '']);
    }
  });

  it('verifies no token of another environment, nor one for another audience', async () => {
    const { sandbox, live } = service.quickstart.environments;
    const path = join(folder, '.data/quickstart.json');
    const quickstart = readFileSync(path, 'utf8');
    // Whoever is shown the token is another one than it was made for.
    for (const [wrong, reason] of [
      [quickstart.replaceAll(sandbox.id, live.id), /JWKSNoMatchingKey|was not signed here/],
      [quickstart.replaceAll('localhost', '127.0.0.1'), /unexpected "iss"|meant for somebody else/],
    ] as const) {
      writeFileSync(path, wrong);
      try {
        for (const language of ['Node', 'Python']) {
          const refused = { code: 1, stdout: '', stderr: expect.stringMatching(reason) };
          expect(await follow(`Verify a token in ${language}`)).toMatchObject(refused);
        }
      } finally {
        writeFileSync(path, quickstart);
      }
    }
  });

  it('receives a webhook and knows that it is one', async () => {
    const { code, stdout } = await follow('Receive webhooks');
    expect([code, stdout]).toEqual([0, 'user.created\n']);
  });

  it('receives nothing that was signed by another, too long ago, or not at all', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const receiver = spawn('node', ['receiver.mjs', String(hook)], {
      cwd: folder,
      env: environmentWith({ WEBHOOK_SECRET: secret }),
      stdio: 'ignore',
    });
    try {
      const send = (key: string, at: Date, body = '{"eventName":"user.created"}') =>
        fetch(`http://127.0.0.1:${hook}/`, {
          method: 'POST',
          body,
          headers: {
            'webhook-id': 'msg_1',
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': `v1,AAAA ${new Webhook(key).sign('msg_1', at, '{"eventName":"user.created"}')}`,
          },
        }).then(({ status }) => status);
      const now = new Date();
      await eventually('the receiver is there', async () => (await send(secret, now).catch(() => 0)) === 204);
      expect(await send(`whsec_${Buffer.alloc(32, 8).toString('base64')}`, now)).toBe(401);
      expect(await send(secret, now, '{"eventName":"user.deleted"}')).toBe(401);
      expect(await send(secret, new Date(now.getTime() - 600_000))).toBe(401);
      const bare = await fetch(`http://127.0.0.1:${hook}/`, { method: 'POST', body: '{}' });
      expect(bare.status).toBe(401);
    } finally {
      receiver.kill('SIGKILL');
    }
  });

  it('lets in who is on a list, and nobody else until it is over', async () => {
    const { code, stdout } = await follow('Let in who is on a list');
    const [listed, stranger] = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(listed).toMatch(/^guest-\d+@example\.com comes in$/);
    expect(stranger).toMatch(/^stranger-\d+@example\.com stays out, \w+$/);
    expect((await follow('Sign somebody in')).code).toBe(0);
  });

  it('lets in who holds a token or is on a list, and nobody else until the gate is gone', async () => {
    const { code, stdout } = await follow('Let in who holds a token');
    const told = ['The holder comes in', 'A stranger stays out, access_denied', 'The gate is notMet'];
    expect([code, stdout]).toEqual([0, [...told, 'The stranger comes in', ''].join('\n')]);
    expect((await follow('Sign somebody in')).code).toBe(0);
    await eventually('the chain of the recipe is gone', () => isFree(chain));
  });

  it('makes a wallet whose signature anybody can check', async () => {
    const { code, stdout } = await follow('A wallet that signs');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^0x[0-9a-fA-F]{40} true\n$/)]);
  });

  it('is served as it is to people and to programs', async () => {
    const answer = await fetch(`${service.url}/dev/recipes`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe(page);
  });
});
