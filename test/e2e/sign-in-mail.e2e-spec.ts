import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { DeploymentMailer } from '../../src/providers/mail/mailer.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { trySignIn } from '../support/codes.js';
import { captureLog } from '../support/log.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail } from '../support/world.js';

interface Message {
  to: string[];
  raw: string;
}

/** Any six of their digits may stand side by side. */
const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

describe('a service with a mail server', () => {
  const messages: Message[] = [];
  let refusal: string | null = null;
  let server: SMTPServer;
  let port: number;
  let test: TestApp;
  let world: World;
  let log: ReturnType<typeof captureLog>;

  const listen = async (at: number): Promise<number> => {
    server = new SMTPServer({
      authOptional: true,
      closeTimeout: 100,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) => done(refusal ? new Error(`${refusal} ${address}`) : null),
      onData: (stream, { envelope }, done) => {
        let raw = '';
        stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
        stream.on('end', () => {
          messages.unshift({ to: envelope.rcptTo.map(({ address }) => address), raw });
          done();
        });
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
    return (server.server.address() as AddressInfo).port;
  };
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  const create = (email: string) =>
    world.anonymous.post<{ code: string; verificationUUID?: string }>(world.sdk('/emailVerifications/create'), {
      email,
    });

  beforeAll(async () => {
    port = await listen(0);
    test = await startTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'verbose', ROLE: 'api' } });
    world = await World.create(test);
  });

  beforeEach(() => {
    refusal = null;
    log = captureLog();
  });

  afterEach(() => log.stop());

  afterAll(async () => {
    await test.close();
    await close();
  });

  it('hands over a message whose code signs in, and shows the code nowhere else', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const [message] = messages;
    expect(message!.to).toEqual([email]);
    expect(message!.raw).toMatch(/^From: Gatehouse <no-reply@gatehouse\.localhost>/m);
    const code = /^Subject: (\d{6}) is your code for/m.exec(message!.raw)![1]!;
    expect(() => world.code(email)).toThrow('No code was sent');
    expect((await trySignIn(world, id, code)).status).toBe(200);
    expect(log.text()).not.toContain(code);
  });

  it('is in the language of whoever has proven the address, else in one that the browser accepts, else in English', async () => {
    const sent = async (email: string, language?: string): Promise<{ id: string; raw: string }> => {
      const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
      const path = world.sdk('/emailVerifications/create');
      const { body } = await world.anonymous.post<{ verificationUUID: string }>(
        path,
        { email },
        { headers, expect: 201 },
      );
      const message = messages.find(({ to }) => to[0] === email);
      return { id: body.verificationUUID, raw: message!.raw };
    };
    const english = /^Subject: \d{6} is your code for/m;
    const german = /<html lang=(?:3D)?"de">/;
    expect((await sent(newEmail(), 'fr, *;q=0.5')).raw).toMatch(english);
    expect((await sent(newEmail(), 'en;q=0.3, de-AT')).raw).toMatch(german);
    const email = newEmail();
    const { id, raw } = await sent(email);
    const code = /^Subject: (\d{6}) is your code for/m.exec(raw)![1]!;
    const { body } = await world.anonymous.post<{ jwt: string }>(
      world.sdk('/emailVerifications/signin'),
      { verificationUUID: id, verificationToken: code },
      { expect: 200 },
    );
    const user = world.anonymous.withToken(body.jwt);
    await user.put(world.sdk('/users'), { metadata: { language: 'de' } }, { expect: 200 });
    expect((await sent(email, 'en')).raw).toMatch(german);
  });

  it('sends to one recipient whatever the address looks like', async () => {
    const sent = messages.length;
    const local = newEmail().split('@')[0];
    for (const email of [
      `${local},eve@example.com`,
      `${local}@example.com, eve@evil.example`,
      `a <${local}@example.com>`,
    ]) {
      const { status } = await create(email);
      expect([201, 400, 422]).toContain(status);
    }
    for (const { to } of messages.slice(0, messages.length - sent)) expect(to).toHaveLength(1);
    expect(messages.flatMap(({ to }) => to)).not.toContain('eve@evil.example');
  });

  it.each(['refuses', 'is away'])(
    'that %s answers 503, leaves nothing to use and no address in the log',
    async (how) => {
      const sent = messages.length;
      if (how === 'refuses') refusal = '550 no such mailbox';
      else await close();
      const email = newEmail();
      const started = performance.now();
      const { status, body, headers } = await create(email);
      expect([status, body.code]).toEqual([503, 'mail_unavailable']);
      expect(headers.get('retry-after')).toBe('30');
      expect(performance.now() - started).toBeLessThan(11_000);
      expect(body).not.toHaveProperty('verificationUUID');
      expect(JSON.stringify(body)).not.toContain(email.split('@')[0]);
      expect(messages).toHaveLength(sent);
      expect(log.text()).toContain('A message could not be sent');
      expect(log.text()).not.toContain(email.split('@')[0]);
      expect(log.text().replace(UUIDS, '')).not.toMatch(/(^|[^0-9])\d{6}([^0-9]|$)/);
      const users = await rowsOf(test, 'SELECT 1 FROM users WHERE email = $1', [email]);
      expect(users).toEqual([]);
      if (how === 'is away') await listen(port);
      refusal = null;
      const id = await world.sendCode(email);
      const code = /^Subject: (\d{6})/m.exec(messages[0]!.raw)![1]!;
      expect((await trySignIn(world, id, code)).status).toBe(200);
    },
  );
});

describe('the mails of a deployment of two instances without Redis', () => {
  it('are as many as it may send in an hour, whichever instance is asked, and begin anew when the hour is over', async () => {
    const env = { ROLE: 'api', MAILS_PER_HOUR: '30', RATE_LIMIT_SCALE: '1' };
    const first = await startTestApp({ ownDatabase: true, env });
    const second = await startTestApp({ databaseUrl: first.databaseUrl, env });
    try {
      const { environmentId } = await World.create(first);
      const mail = { environmentId, subject: 'A letter', text: 'text' };
      const sendAHundred = () =>
        Promise.allSettled(
          Array.from({ length: 100 }, (_, at) =>
            (at % 2 ? first : second).app.get(DeploymentMailer, { strict: false }).send({ ...mail, to: newEmail() }),
          ),
        );
      for (const _hour of ['one', 'the next']) {
        const answers = await sendAHundred();
        expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
        const [refused] = answers.filter((answer) => answer.status === 'rejected');
        expect(refused!.reason).toMatchObject({ status: 429, code: 'mail_budget_used_up' });
        const { retryAfterSeconds } = (refused!.reason as { details: { retryAfterSeconds: number } }).details;
        expect(retryAfterSeconds).toBeGreaterThan(3_000);
        expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
        await rowsOf(first, "UPDATE deployment_budgets SET started_at = started_at - interval '1 hour'");
      }
    } finally {
      await second.close();
      await first.close();
    }
  });
});
