import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { freePort } from '../support/ports.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { payloads } from '../support/event-payloads.js';
import { eventually, Receiver, type Received } from '../support/receiver.js';
import { command } from '../support/operator.js';
import { environmentWith, run, type Environment, type Finished } from '../support/service-process.js';
import { newEmail, World } from '../support/world.js';

/** Throws unless the published library takes it for right. */
const verify = (secret: string, { raw, headers }: Received): void =>
  void new StandardWebhook(secret).verify(raw.toString(), headers as Record<string, string>);

/** A command that goes on until it is told to stop. */
class Running {
  output = '';
  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  static async listening(words: string[], settings: Environment): Promise<Running> {
    const child = spawn(process.execPath, ['scripts/run.js', 'cli', 'listen', ...words], {
      env: environmentWith(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const listener = new Running(child);
    await eventually(
      'the command listens',
      () => listener.output.includes('listening  ') || child.exitCode !== null,
      60_000,
    );
    return listener;
  }

  get secret(): string {
    return /secret +(whsec_\S+)/.exec(this.output)?.[1] ?? '';
  }

  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    return ((await ended) as [number | null])[0];
  }
}

/** A command that is a program compiles and loads the service. */
jest.setTimeout(120_000);

describe('the commands about events', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-events-'));
  let test: TestApp;
  let world: World;
  let settings: Environment;

  beforeAll(async () => {
    test = await startTestApp({ env: { DATA_DIR: folder } });
    world = await World.create(test);
    settings = { DATA_DIR: folder, DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey };
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const trigger = (...words: string[]): Promise<Finished> => command(test.app, 'trigger', ...words);
  const newUser = async (of: World = world): Promise<string> =>
    (await of.api.post<{ user: { id: string } }>(of.path('/users'), { email: newEmail() }, { expect: 201 })).body.user
      .id;
  const listed = async (): Promise<string[]> =>
    (await world.api.get<{ data: { eventId: string }[] }>(world.path('/events'))).body.data.map(
      ({ eventId }) => eventId,
    );
  const newWebhook = async (url: string, isEnabled = true): Promise<{ webhookId: string; secret: string }> =>
    (
      await world.api.post<{ webhookId: string; secret: string }>(
        world.path('/webhooks'),
        { url, isEnabled, events: ['user.deleted'] },
        { expect: 201 },
      )
    ).body;

  describe('listen', () => {
    it('forwards new events of one environment, signed with the secret that it prints', async () => {
      const receiver = await Receiver.start();
      const other = await World.create(test);
      const before = await newUser();
      const listening = await Running.listening(
        ['--environment', world.environmentId, '--forward', receiver.url],
        settings,
      );
      try {
        await newUser(other);
        const ids = [await newUser(), await newUser()];
        await eventually('both arrive', () => receiver.of('user.created').length === 2);
        const seen = receiver.of('user.created');
        expect(seen.map(({ body }) => (body.data as { id: string }).id)).toEqual(ids);
        expect(seen.map(({ body }) => body.environmentId)).toEqual([world.environmentId, world.environmentId]);
        expect(seen.every(({ body }) => body['sample'] === undefined)).toBe(true);
        for (const message of seen) verify(listening.secret, message);
        expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, seen[0]!)).toThrow();
        expect(JSON.stringify(receiver.received.map(({ body }) => body))).not.toContain(before);
        for (const { body } of seen) {
          const line = new RegExp(`user\\.created  ${body.eventId}  200  \\d+ ms\\n`);
          await eventually('the answer is printed', () => line.test(listening.output));
        }
      } finally {
        expect(await listening.stop()).toBe(0);
        await receiver.stop();
      }
    });

    it('waits for a receiver that does not respond, and retries what was not accepted', async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hook`;
      const listening = await Running.listening(
        ['--environment', world.environmentId, '--forward', url, '--events', 'user.created'],
        settings,
      );
      const ids = [await newUser(), await newUser()];
      await eventually('it is said', () => listening.output.includes('waiting for the receiver'));
      const receiver = await Receiver.start((_, attempt) => ({ status: attempt === 1 ? 500 : 200 }), port);
      try {
        await eventually('both are taken', () => receiver.received.length >= 4);
        await eventually('both are printed', () => listening.output.match(/ {2}200 {2}/g)?.length === 2);
        const seen = receiver.received.map(({ body }) => [(body.data as { id: string }).id, body.messageId]);
        expect(seen.map(([id]) => id)).toEqual([ids[0], ids[0], ids[1], ids[1]]);
        expect(new Set(seen.map(([, messageId]) => messageId)).size).toBe(2);
        expect(listening.output).toContain('retrying');
      } finally {
        expect(await listening.stop()).toBe(0);
        await receiver.stop();
      }
    });

    it.each([
      [
        'an address of another machine',
        ['--forward', 'https://example.com/hook'],
        'must be an address on this machine',
      ],
      [
        'a name that only looks local',
        ['--forward', 'http://127.0.0.1.example.com/'],
        'must be an address on this machine',
      ],
      [
        'an event that does not exist',
        ['--forward', 'http://localhost:1/', '--events', 'user.vanished'],
        'no event user.vanished',
      ],
      [
        'a secret that is none',
        ['--forward', 'http://localhost:1/', '--secret', 'hidden'],
        '--secret must be a signing secret',
      ],
    ])('refuses %s', async (_, words, expected) => {
      const refused = await command(test.app, 'listen', '--environment', world.environmentId, ...words);
      const { code, stderr, stdout } = refused;
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(expected);
      expect(stderr).not.toContain('hidden');
    });
  });

  describe('trigger', () => {
    it('sends a sample to the webhooks that ask for the event, marked as one, and leaves no trace of it', async () => {
      const receiver = await Receiver.start();
      const [asking, silent] = [await newWebhook(receiver.url), await newWebhook(`${receiver.url}/off`, false)];
      await eventually('the ping is through', () => receiver.of('ping').length === 1);
      const known = await listed();
      const program = ['node', 'scripts/run.js', 'cli', 'trigger'];
      const sent = await run([...program, 'user.deleted', '--environment', world.environmentId], settings);
      expect(sent).toMatchObject({ code: 0, stderr: '' });
      expect(sent.stdout).toMatch(new RegExp(`^${asking.webhookId}  200  \\d+ ms  http`));
      expect(sent.stdout).not.toContain(silent.webhookId);
      const [message, ...rest] = receiver.of('user.deleted');
      expect(rest).toEqual([]);
      expect(message!.body).toMatchObject({ sample: true, redelivery: false, webhookId: asking.webhookId });
      expect(payloads().problems('user.deleted', message!.body.data)).toEqual([]);
      verify(asking.secret, message!);
      expect(await listed()).toEqual(known);
      expect((await world.api.get(world.path(`/events/${message!.body.eventId}`))).status).toBe(404);
      const { body } = await world.api.get<{ data: { eventId: string }[] }>(
        world.path(`/webhooks/${asking.webhookId}/messages`),
      );
      expect(body.data.map(({ eventId }) => eventId)).not.toContain(message!.body.eventId);

      const chosen = await trigger('billing.none', '--environment', world.environmentId);
      expect([chosen.code, chosen.stderr]).toEqual([1, 'There is no event billing.none.\n']);
      const one = await trigger('origin.created', '--environment', world.environmentId, '--webhook', silent.webhookId);
      expect(one).toMatchObject({ code: 0, stderr: '' });
      expect(receiver.of('origin.created').map(({ path }) => path)).toEqual(['/hook/off']);
      await receiver.stop();

      const down = await trigger('user.deleted', '--environment', world.environmentId);
      expect([down.code, down.stderr]).toEqual([1, '1 of 1 webhooks did not accept the sample.\n']);
    });

    it('says that no webhook subscribes to an event, and ignores webhooks of other environments', async () => {
      const other = await World.create(test);
      const nobody = await trigger('user.created', '--environment', other.environmentId);
      expect([nobody.code, nobody.stdout]).toEqual([1, '']);
      expect(nobody.stderr).toContain('No webhook of the environment is subscribed to user.created');
      const { webhookId } = await newWebhook('https://hooks.example.com/a', false);
      const foreign = await trigger('user.created', '--environment', other.environmentId, '--webhook', webhookId);
      expect([foreign.code, foreign.stderr]).toEqual([1, `The environment has no webhook ${webhookId}.\n`]);
    });

    it('finds a running listen of its environment, and no other, and signs as it does', async () => {
      const receiver = await Receiver.start();
      const own = await World.create(test);
      const other = await World.create(test);
      const words = ['--environment', own.environmentId, '--forward', receiver.url];
      const listening = await Running.listening(words, settings);
      const sent = await trigger('user.deleted', '--environment', own.environmentId);
      expect(sent).toMatchObject({ code: 0, stderr: '' });
      const [message] = receiver.of('user.deleted');
      expect(message!.body).toMatchObject({ sample: true, environmentId: own.environmentId });
      verify(listening.secret, message!);
      const elsewhere = await trigger('user.deleted', '--environment', other.environmentId);
      expect(elsewhere.stderr).toContain('No webhook of the environment is subscribed to user.deleted');
      expect(await listening.stop()).toBe(0);
      const nobody = await trigger('user.deleted', '--environment', own.environmentId);
      expect(nobody.stderr).toContain('No webhook of the environment is subscribed to user.deleted');
      expect(receiver.received).toHaveLength(1);
      await receiver.stop();
    });

    it('sends to an address of this machine with a secret that is printed, or was given', async () => {
      const receiver = await Receiver.start();
      const words = ['user.session.created', '--environment', world.environmentId, '--forward', receiver.url];
      const printed = await trigger(...words);
      const secret = /secret +(whsec_\S+)/.exec(printed.stdout)?.[1] ?? '';
      expect(printed.code).toBe(0);
      const listening = await Running.listening(
        ['--environment', world.environmentId, '--forward', receiver.url],
        settings,
      );
      expect(listening.secret).toBe(secret);
      expect(await listening.stop()).toBe(0);
      verify(secret, receiver.received[0]!);
      const given = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      expect((await trigger(...words, '--secret', given)).code).toBe(0);
      verify(given, receiver.received[1]!);
      expect(receiver.received.map(({ body }) => body['sample'])).toEqual([true, true]);
      await receiver.stop();
    });
  });
});
