import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { Standstill } from '../../../test/support/standstill.js';
import type { EnvironmentId } from '../../database/index.js';
import { SmtpMailer } from './smtp-mailer.js';
import { isSurelyUnsent } from './unsent-mail.js';

const MAIL = {
  environmentId: 'e' as EnvironmentId,
  to: 'ada@example.com',
  subject: '012345 is your code',
  text: 'Your code is 012345.',
  html: '<p>012345</p>',
  code: '012345',
};
const FROM = 'Gatehouse <no-reply@gatehouse.example>';

interface Received {
  from: string;
  to: string[];
  raw: string;
}

let received: Received[];
let connections: number;
let closing: (() => void)[];
let warn: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  received = [];
  connections = 0;
  closing = [];
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});

afterEach(() => {
  for (const close of closing) close();
  warn.mockRestore();
});

async function smtpServer(options: SMTPServerOptions = {}): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onData: (stream, { envelope }, done) => {
      let raw = '';
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

function mailer(
  url: string,
  options: { connectTimeoutMs?: number; totalTimeoutMs?: number; requireTls?: boolean } = {},
): SmtpMailer {
  const made = new SmtpMailer({ url, from: FROM, ...options }, { answered: () => undefined, failed: () => undefined });
  closing.push(() => made.onApplicationShutdown());
  return made;
}

/** Everything a failed message left in the log. */
const logged = (): string => JSON.stringify(warn.mock.calls);

describe('mail over SMTP', () => {
  it('does not leave for a server that offers no TLS where TLS is required', async () => {
    const url = await smtpServer();
    await expect(mailer(url, { requireTls: true }).send(MAIL)).rejects.toMatchObject({ code: 'mail_unavailable' });
    expect(received).toEqual([]);
    expect(logged()).not.toContain('ada@example.com');
    await mailer(url).send(MAIL);
    expect(received).toHaveLength(1);
  });

  it('arrives with sender, recipient, subject, text and HTML', async () => {
    await mailer(await smtpServer()).send(MAIL);
    expect(received).toHaveLength(1);
    const [{ from, to, raw }] = received as [Received];
    expect(from).toBe('no-reply@gatehouse.example');
    expect(to).toEqual(['ada@example.com']);
    expect(raw).toMatch(/^Subject: 012345 is your code\r$/m);
    expect(raw).toContain('Your code is 012345.');
    expect(raw).toContain('<p>012345</p>');
  });

  it('goes over kept connections', async () => {
    const pooled = mailer(await smtpServer());
    for (let sent = 0; sent < 5; sent++) await pooled.send(MAIL);
    expect(received).toHaveLength(5);
    expect(connections).toBe(1);
  });

  it('goes to one recipient, whatever the address looks like', async () => {
    const sending = mailer(await smtpServer()).send({ ...MAIL, to: 'ada@example.com, eve@example.com' });
    await sending.catch(() => undefined);
    expect(received.flatMap(({ to }) => to)).not.toContain('eve@example.com');
  });

  it.each([
    [
      'refuses the recipient',
      { onRcptTo: (_a: unknown, _s: unknown, done: (e: Error) => void) => done(new Error('no ada@example.com')) },
    ],
    [
      'refuses the message',
      {
        onData: (stream: NodeJS.ReadableStream, _s: unknown, done: (e: Error) => void) => {
          stream.resume();
          stream.on('end', () => done(new Error('spam: Your code is 012345.')));
        },
      },
    ],
  ])('answers 503 when the server %s, and logs neither address nor code', async (_name, behaviour) => {
    const url = await smtpServer(behaviour);
    const failure = mailer(url).send(MAIL);
    await expect(failure).rejects.toMatchObject({ status: 503, details: { retryAfterSeconds: 30 } });
    expect(warn).toHaveBeenCalled();
    expect(logged()).not.toMatch(/ada@|012345/);
  });

  it('answers 503 when nobody listens', async () => {
    await expect(mailer('smtp://127.0.0.1:1').send(MAIL)).rejects.toMatchObject({
      status: 503,
      code: 'mail_unavailable',
    });
    expect(logged()).toContain('ESOCKET');
  });

  describe('that fails, tells whether it is certain that nothing left', () => {
    const failureOf = (url: string, options: Parameters<typeof mailer>[1] = {}): Promise<unknown> =>
      mailer(url, options)
        .send(MAIL)
        .then(
          () => null,
          (error: unknown) => error,
        );

    /** Answers each line that begins so, and hangs up where there is no answer. */
    async function scriptedServer(greeting: string, answers: Record<string, string>): Promise<string> {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).write(greeting);
        socket.on('data', (chunk) => {
          for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
            const known = Object.keys(answers).find((word) => line.startsWith(word));
            if (known) socket.write(answers[known]!);
            else socket.destroy();
          }
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closing.push(() => server.close());
      return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
    const READY = '220 ready\r\n';
    const OK = '250 ok\r\n';
    const upToData = { EHLO: OK, MAIL: OK, RCPT: OK, DATA: '354 go on\r\n' };

    it.each([
      ['nobody listens', async () => failureOf('smtp://127.0.0.1:1')],
      ['there is no such host', async () => failureOf('smtp://mail.invalid')],
      ['the greeting refuses', async () => failureOf(await scriptedServer('554 go away\r\n', {}))],
      ['no greeting comes', async () => failureOf(await scriptedServer('', {}), { connectTimeoutMs: 100 })],
      [
        'who calls is refused',
        async () => failureOf(await scriptedServer(READY, { EHLO: '550 no\r\n', HELO: '550 no\r\n' })),
      ],
      ['there is no TLS where it is required', async () => failureOf(await smtpServer(), { requireTls: true })],
    ])('it is where %s', async (_name, fail) => expect(isSurelyUnsent(await fail())).toBe(true));

    it.each([
      [
        'the recipient is refused',
        async () => failureOf(await scriptedServer(READY, { ...upToData, RCPT: '550 no\r\n' })),
      ],
      ['the connection ends in the middle', async () => failureOf(await scriptedServer(READY, upToData))],
      [
        'nothing is answered to the message',
        async () =>
          failureOf(await scriptedServer(READY, { ...upToData, '': '' }), {
            connectTimeoutMs: 5_000,
            totalTimeoutMs: 200,
          }),
      ],
    ])('it is not where %s', async (_name, fail) => {
      const error = await fail();
      expect(error).toMatchObject({ code: 'mail_unavailable' });
      expect(isSurelyUnsent(error)).toBe(false);
    });
  });

  it('gives a silent server up after the total time', async () => {
    const silent: Server = createServer((socket) => closing.push(() => socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closing.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const [began, standstill] = [performance.now(), Standstill.watch()];
    const sending = mailer(`smtp://127.0.0.1:${port}`, { connectTimeoutMs: 5_000, totalTimeoutMs: 200 }).send(MAIL);
    await expect(sending).rejects.toMatchObject({ status: 503 });
    expect(performance.now() - began).toBeLessThan(1_500 + standstill.ms);
    standstill.stop();
    expect(logged()).toContain('ETIMEDOUT');
  });

  it('is not sent late when a server comes back, nor keeps what is sent then waiting', async () => {
    const held: (() => void)[] = [];
    let isStuck = true;
    const url = await smtpServer({
      onMailFrom: (_address, _session, done) => (isStuck ? void held.push(done) : done()),
    });
    const pooled = mailer(url, { totalTimeoutMs: 400 });
    const failures = await Promise.allSettled(Array.from({ length: 40 }, () => pooled.send(MAIL)));
    expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
    isStuck = false;
    for (const done of held) done();
    await pooled.send({ ...MAIL, subject: 'after the outage' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1])).toEqual(['after the outage']);
  });
});
