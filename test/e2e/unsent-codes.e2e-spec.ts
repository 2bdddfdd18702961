import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { newRecipient } from '../support/hpke-open.js';
import { MailServer } from '../support/mail-server.js';
import { PasskeySite } from '../support/passkeys.js';
import { freePort } from '../support/ports.js';
import { newStamper } from '../support/stamper.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

type Owner = SignedIn & { walletId: string };
interface Outcome {
  status: number;
  code?: string;
}

/** As many as a user is mailed within an hour. */
const MOST = 3;
/** More than a user may have keys of at once. */
const LOSSES = 12;
const AWAY = { status: 503, code: 'mail_unavailable' };

describe('codes for wallets', () => {
  let test: TestApp;
  let limited: TestApp;
  let world: World;
  let site: PasskeySite;
  let port: number;
  const path = (rest: string): string => world.sdk(`/users/embeddedWallets${rest}`);

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
    world = await World.create(test);
    site = await PasskeySite.register(world);
    port = await freePort();
    const env = { ROLE: 'api', RATE_LIMIT_SCALE: '1', MAILS_PER_HOUR: '100000', SMTP_URL: `smtp://127.0.0.1:${port}` };
    limited = await startTestApp({ env, databaseUrl: test.databaseUrl });
  });
  afterAll(async () => {
    await limited.close();
    await test.close();
  });

  async function owner(): Promise<Owner> {
    const person = await world.signIn(newEmail(), { sessionPublicKey: newStamper().publicKey });
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    await world.anonymous.post(path(''), { embeddedWallets }, { token: person.jwt, expect: 201 });
    const { body } = await world.api.get<{ user: { wallets: { id: string }[] } }>(
      world.path(`/users/${person.userId}`),
    );
    const elevated = (await proofOf(world, person.jwt))['x-elevated-access-token']!;
    await site.add({ ...person, elevated });
    return { ...person, walletId: body.user.wallets[0]!.id };
  }

  async function ask(rest: string, token: string, body: object): Promise<Outcome> {
    const answer = await fetch(`${limited.url}/api/v0${path(rest)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, ...(code !== undefined && { code }) };
  }
  const ways = ({ jwt, walletId }: Owner): Record<string, () => Promise<Outcome>> => ({
    'a key of the session': () => {
      const keyvaultEmailAuthTargetPublicKey = newRecipient('X25519').publicKey.toString('hex');
      return ask('/emailAuth', jwt, { walletId, keyvaultEmailAuthTargetPublicKey });
    },
    'a new passkey': () => ask('/passkeyRecovery', jwt, { walletId, keyvaultRecoveryTargetPublicKey: null }),
  });

  it.each([
    ['a key of the session', 200],
    ['a new passkey', 201],
  ])('for %s cost nothing while the mail server is away', async (way, sent) => {
    const act = ways(await owner())[way]!;
    for (let loss = 0; loss < LOSSES; loss++) expect(await act()).toEqual(AWAY);
    const mails = await MailServer.start(port);
    try {
      for (let done = 0; done < MOST; done++) expect(await act()).toEqual({ status: sent });
      expect(await act()).toEqual({ status: 429, code: 'too_many_requests' });
    } finally {
      await mails.stop();
    }
  });

  it('of any user can be sent when the mail server is back, however many were lost', async () => {
    const env = { ROLE: 'api', MAILS_PER_HOUR: '1', RATE_LIMIT_SCALE: '2', SMTP_URL: `smtp://127.0.0.1:${port}` };
    const budgeted = await startTestApp({ env, ownDatabase: true });
    const own = await World.create(budgeted);
    const path = own.sdk('/emailVerifications/create');
    const create = () => own.anonymous.post<{ code?: string }>(path, { email: newEmail() });
    for (let loss = 0; loss < MOST; loss++) {
      const { status, body } = await create();
      expect({ status, code: body.code }).toEqual(AWAY);
    }
    const mails = await MailServer.start(port);
    try {
      for (let done = 0; done < 2; done++) expect((await create()).status).toBe(201);
      expect((await create()).body.code).toBe('mail_budget_used_up');
    } finally {
      await mails.stop();
      await budgeted.close();
    }
  });

  it('count when the mail server hangs up while it is given the mail, which it may have', async () => {
    const act = ways(await owner())['a key of the session']!;
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('220 ready\r\n');
      socket.on('data', (chunk) => {
        if (/^(EHLO|MAIL|RCPT)/.test(chunk.toString())) socket.write('250 ok\r\n');
        else if (chunk.toString().startsWith('DATA')) socket.write('354 go on\r\n');
        else socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      for (let loss = 0; loss < MOST; loss++) expect(await act()).toEqual(AWAY);
      expect(await act()).toEqual({ status: 429, code: 'too_many_requests' });
    } finally {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });
});
