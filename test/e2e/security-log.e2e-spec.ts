import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { JsonLogger } from '../../src/bootstrap/json-logger.js';
import { SecurityEvent, SecurityLog } from '../../src/common/security/index.js';
import { newId } from '../../src/common/ids.js';
import { MetricsServer } from '../../src/observability/index.js';
import { OutboundHttp } from '../../src/outbound/index.js';
import { Envelope, KeyVaultUnavailableError } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Accounts } from '../support/accounts.js';
import { TestClient } from '../support/client.js';
import { trySignIn, wrongCode } from '../support/codes.js';
import { rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors, codeOf, roomInStep } from '../support/second-factor.js';
import { newAddress } from '../support/surface/records.js';
import { enableTelegram, newLogin, queryOf } from '../support/telegram.js';
import { addSite, claimOf, messageOf, newKey, newNonce, SITE } from '../support/wallet-sign-in.js';
import { World, newEmail } from '../support/world.js';

interface Line {
  context?: string;
  level: string;
  security?: string;
  requestId?: string;
  code?: string;
  [field: string]: unknown;
}

/** These take a browser, a cookie or a damaged row: passkeys.e2e, session-cookie.e2e and vault specs make them. */
const ELSEWHERE = [SecurityEvent.AuthenticatorCloned, SecurityEvent.SiteRefused, SecurityEvent.SealRefused];

describe('what happens to the security of the service', () => {
  let test: TestApp;
  let world: World;
  let stranger: World;
  let metrics: string;
  const written: string[] = [];

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api', METRICS_PORT: '0' } });
    const server = test.app.get(MetricsServer);
    await server.start();
    metrics = `http://127.0.0.1:${server.port}/metrics`;
    world = await World.create(test);
    stranger = await World.create(test);
    Logger.overrideLogger(await JsonLogger.create('log', (line) => written.push(line)));
  });
  afterAll(async () => {
    Logger.overrideLogger(false);
    await test?.close();
  });

  const counted = async (event: string): Promise<number> => {
    const series = `gatehouse_security_events_total{event="${event}"}`;
    const line = (await (await fetch(metrics)).text()).split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1));
  };

  /** The lines of the security log that `work` caused, and by how much it raised the count of an event. */
  async function during(event: SecurityEvent, work: () => Promise<unknown>): Promise<{ lines: Line[]; more: number }> {
    const [before, from] = [await counted(event), written.length];
    await work();
    const lines = written.slice(from).map((line) => JSON.parse(line) as Line);
    const of = lines.filter(({ context, security }) => context === 'Security' && security === event);
    return { lines: of, more: (await counted(event)) - before };
  }

  const shown = new Set<SecurityEvent>([SecurityEvent.RateLimited]);
  /** What must not be in any line. */
  const secrets: string[] = [];

  it.each<[string, SecurityEvent, Partial<Line>, () => Promise<unknown>]>([
    [
      'a wrong code',
      SecurityEvent.CodeFailed,
      { level: 'warn', code: 'wrong_email_verification_token', operationId: 'signInWithEmailVerification' },
      async () => {
        const email = newEmail();
        const verification = await world.sendCode(email);
        const wrong = wrongCode(world.code(email));
        secrets.push(email, wrong, verification);
        await trySignIn(world, verification, wrong);
      },
    ],
    [
      'the sixth of six wrong codes',
      SecurityEvent.SignInLocked,
      { level: 'warn', code: 'too_many_email_verification_attempts' },
      async () => {
        const email = newEmail();
        const verification = await world.sendCode(email);
        for (let step = 1; step <= 6; step++) await trySignIn(world, verification, wrongCode(world.code(email), step));
      },
    ],
    [
      'a token of another environment',
      SecurityEvent.TokenRefused,
      { level: 'warn', code: 'unauthorized', operationId: 'sessionCheck' },
      async () => {
        const { jwt } = await stranger.signIn(newEmail());
        secrets.push(jwt);
        await world.anonymous.get(world.sdk('/session'), { token: jwt, expect: 401 });
      },
    ],
    [
      'an API token that nobody made',
      SecurityEvent.TokenRefused,
      { level: 'warn', code: 'unauthorized', operationId: 'getEnvironmentUsers' },
      async () => {
        secrets.push(`${world.token.slice(0, -8)}00000000`);
        await new TestClient(test.url, secrets.at(-1)).get(world.path('/users'), { expect: 401 });
      },
    ],
    [
      'an API token at the environment of others',
      SecurityEvent.TenantCrossed,
      { level: 'warn', code: 'not_found', principal: 'environmentToken', operationId: 'getEnvironmentUsers' },
      () => world.api.get(stranger.path('/users'), { expect: 404 }),
    ],
    [
      'a member at the organization of others',
      SecurityEvent.TenantCrossed,
      { level: 'warn', code: 'not_found', principal: 'dashboardUser', operationId: 'getOrganizationMembers' },
      () => world.owner.get(`/organizations/${stranger.ids.organizationId}/members`, { expect: 404 }),
    ],
    [
      'an allowlist of nobody',
      SecurityEvent.RecordUnknown,
      { level: 'warn', code: 'not_found', operationId: 'getAllowlistsById' },
      () => world.owner.get(`/allowlists/${newId()}`, { expect: 404 }),
    ],
    [
      'a token without the scope',
      SecurityEvent.PermissionRefused,
      { level: 'warn', code: 'forbidden' },
      async () => {
        const token = await world.mint(['environment.settings.read']);
        await new TestClient(test.url, token).get(world.path('/users'), { expect: 403 });
      },
    ],
    [
      'a request of the service to the network inside',
      SecurityEvent.EgressRefused,
      { level: 'warn' },
      () =>
        test.app
          .get(OutboundHttp)
          .send({ method: 'GET', url: 'http://169.254.169.254/latest/meta-data' })
          .catch((error: unknown) => error),
    ],
    [
      'a webhook at an address of the network inside',
      SecurityEvent.EgressRefused,
      { level: 'warn', code: 'webhook_url_refused', operationId: 'createWebhook', principal: 'environmentToken' },
      () =>
        world.api.post(
          world.path('/webhooks'),
          { url: 'https://169.254.169.254/', events: ['user.created'], isEnabled: true },
          { expect: 400 },
        ),
    ],
    [
      'keys of an issuer at such an address',
      SecurityEvent.EgressRefused,
      { level: 'warn', code: 'validation_failed', principal: 'environmentToken' },
      () =>
        world.api.put(
          world.path(''),
          { security: { externalAuth: { jwksUrl: 'https://169.254.169.254/keys' } } },
          { expect: 400 },
        ),
    ],
    [
      'a secret whose vault is away',
      SecurityEvent.VaultUnavailable,
      { level: 'warn', code: 'service_unavailable', principal: 'environmentToken' },
      async () => {
        const hook = { url: 'https://sealed.example.com/hook', events: ['user.created'], isEnabled: false };
        const made = await world.api.post<{ webhookId: string; secret: string }>(world.path('/webhooks'), hook, {
          expect: 201,
        });
        secrets.push(made.body.secret);
        const away = jest
          .spyOn(test.app.get(Envelope), 'open')
          .mockRejectedValue(new KeyVaultUnavailableError('The vault is away.'));
        try {
          const path = world.path(`/webhooks/${made.body.webhookId}?includeSecret=true`);
          const headers = { authorization: `Bearer ${world.token}` };
          expect((await fetch(`${test.url}/api/v0${path}`, { headers })).status).toBe(503);
        } finally {
          away.mockRestore();
        }
      },
    ],
    [
      'a login that the messaging network has not signed',
      SecurityEvent.ProofRefused,
      { level: 'warn', code: 'telegram_login_invalid', operationId: 'telegramSignIn' },
      async () => {
        const messengers = await World.create(test);
        await enableTelegram(messengers);
        const telegramAuthToken = queryOf(newLogin(), 'the token of another bot');
        secrets.push(telegramAuthToken);
        await messengers.anonymous.post(messengers.sdk('/telegram/signin'), { telegramAuthToken }, { expect: 422 });
      },
    ],
    [
      'a token that had been exchanged',
      SecurityEvent.TokenReused,
      { level: 'warn', code: 'token_reused', operationId: 'refreshAuth' },
      async () => {
        const { jwt, sessionId } = await world.signIn(newEmail());
        await world.anonymous.post(world.sdk('/refresh'), undefined, { token: jwt, expect: 200 });
        const past = "UPDATE sessions SET token_issued_at = token_issued_at - interval '11 seconds' WHERE id = $1";
        await rowsOf(test, past, [sessionId]);
        await world.anonymous.post(world.sdk('/refresh'), undefined, { token: jwt, expect: 401 });
      },
    ],
    [
      'a token that was replaced, where tokens are given',
      SecurityEvent.TokenRefused,
      { level: 'warn', code: 'token_replaced', operationId: 'updateSelf', principal: 'endUser' },
      async () => {
        const { jwt, sessionId } = await world.signIn(newEmail());
        secrets.push(jwt);
        await world.anonymous.post(world.sdk('/refresh'), undefined, { token: jwt, expect: 200 });
        const past = "UPDATE sessions SET token_issued_at = token_issued_at - interval '11 seconds' WHERE id = $1";
        await rowsOf(test, past, [sessionId]);
        await world.anonymous.put(world.sdk('/users'), { alias: 'copy' }, { token: jwt, expect: 401 });
      },
    ],
    [
      'a code while the address waits for wrong ones',
      SecurityEvent.SignInLocked,
      { level: 'warn', code: 'too_many_wrong_codes', operationId: 'signInWithEmailVerification' },
      async () => {
        const email = newEmail();
        const id = await world.sendCode(email);
        const wait = "UPDATE code_networks SET waits_until = now() + interval '1 hour' WHERE environment_id = $1";
        const code = world.code(email);
        secrets.push(email, code, id);
        await trySignIn(world, id, wrongCode(code));
        await rowsOf(test, wait, [world.environmentId]);
        await trySignIn(world, id, code);
        await rowsOf(test, wait.replace("now() + interval '1 hour'", 'NULL'), [world.environmentId]);
      },
    ],
    [
      'a second factor that waits',
      SecurityEvent.SignInLocked,
      { level: 'warn', code: 'too_many_mfa_attempts', operationId: 'authMfaTotpDevice' },
      async () => {
        const guarded = await World.create(test);
        await allowSecondFactors(guarded);
        const { jwt, userId } = await guarded.signIn(newEmail());
        await roomInStep();
        const { secret } = await addDevice(guarded, jwt);
        secrets.push(secret, jwt);
        const wait = "UPDATE mfa_devices SET blocked_until = now() + interval '1 hour' WHERE user_id = $1";
        await rowsOf(test, wait, [userId]);
        const code = codeOf(secret);
        secrets.push(code);
        await guarded.anonymous.post(guarded.sdk('/users/mfa/auth/totp'), { code }, { token: jwt, expect: 429 });
      },
    ],
    [
      'a signature that is none',
      SecurityEvent.ProofRefused,
      { level: 'warn', code: 'invalid_wallet_signature', operationId: 'walletsSignin' },
      async () => {
        const wallets = await World.create(test);
        await addSite(wallets);
        const { address } = newKey();
        const message = messageOf({ address, nonce: await newNonce(wallets) });
        secrets.push(address, message);
        const claim = claimOf(address, message, 'zz');
        await wallets.anonymous.post(wallets.sdk('/wallets/signin'), claim, {
          headers: { origin: SITE },
          expect: 422,
        });
      },
    ],
    [
      'somebody who is on no list',
      SecurityEvent.AccessRefused,
      { level: 'warn', operationId: 'signInWithEmailVerification' },
      async () => {
        const closed = await World.create(test);
        const list = { name: 'Team', outcome: 'siteAccess' };
        const made = await closed.api.post<{ id: string }>(closed.path('/allowlists'), list, { expect: 201 });
        await closed.api.put(`/allowlists/${made.body.id}/enable`, undefined, { expect: 200 });
        const email = newEmail();
        secrets.push(email);
        await expect(closed.signIn(email)).rejects.toThrow('got 403');
      },
    ],
    [
      'an address of two users',
      SecurityEvent.IdentifierAmbiguous,
      { level: 'warn', code: 'ambiguous_identifier', operationId: 'signInWithEmailVerification' },
      async () => {
        const email = newEmail();
        secrets.push(email);
        for (const spelling of [email, email.toUpperCase()]) {
          const planted = { email: spelling, emailVerifiedAt: '2026-01-01T00:00:00.000Z' };
          await world.api.post(world.path('/users'), planted, { expect: 201 });
        }
        const id = await world.sendCode(email);
        expect((await trySignIn(world, id, world.code(email))).status).toBe(422);
      },
    ],
    [
      'a session that is ended',
      SecurityEvent.SessionEnded,
      { level: 'info', eventName: 'user.session.revoked' },
      async () => {
        const { jwt } = await world.signIn(newEmail());
        secrets.push(jwt);
        await world.anonymous.post(world.sdk('/revoke'), undefined, { token: jwt, expect: 204 });
      },
    ],
    [
      'a device that shows codes',
      SecurityEvent.FactorChanged,
      { level: 'info' },
      async () => {
        const guarded = await World.create(test);
        await allowSecondFactors(guarded);
        const { jwt } = await guarded.signIn(newEmail());
        await roomInStep();
        secrets.push((await addDevice(guarded, jwt)).secret);
      },
    ],
    [
      'a wallet of a user',
      SecurityEvent.WalletLinked,
      { level: 'info', eventName: 'wallet.linked' },
      async () => {
        const { userId } = await world.signIn(newEmail());
        const publicWalletAddress = newAddress();
        secrets.push(publicWalletAddress);
        const wallet = { publicWalletAddress, chain: 'EVM', walletName: 'test', walletProvider: 'browserExtension' };
        await world.api.post(world.path(`/users/${userId}/wallets`), wallet, { expect: 201 });
      },
    ],
    [
      'an account at a provider',
      SecurityEvent.AccountLinked,
      { level: 'info', eventName: 'user.social.linked' },
      async () => {
        const messengers = await World.create(test);
        await enableTelegram(messengers);
        const { jwt } = await messengers.signIn(newEmail());
        const telegramAuthToken = queryOf(newLogin());
        secrets.push(telegramAuthToken);
        const path = messengers.sdk('/telegram/verify');
        await messengers.anonymous.post(path, { telegramAuthToken }, { token: jwt, expect: 200 });
      },
    ],
    [
      'two users who are one',
      SecurityEvent.UsersMerged,
      { level: 'info', eventName: 'user.merged' },
      async () => {
        const accounts = new Accounts(world);
        const { ada } = await accounts.offered();
        expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
      },
    ],
    [
      'another secret of a webhook',
      SecurityEvent.SecretChanged,
      { level: 'info' },
      async () => {
        const hook = { url: 'https://other.example.com/hook', events: ['user.created'], isEnabled: false };
        const made = await world.api.post<{ webhookId: string; secret: string }>(world.path('/webhooks'), hook, {
          expect: 201,
        });
        secrets.push(made.body.secret);
        const path = world.path(`/webhooks/${made.body.webhookId}/rotate-secret`);
        const { body } = await world.api.post<{ secret?: string }>(path, {}, { expect: 200 });
        if (body.secret) secrets.push(body.secret);
      },
    ],
    [
      'another client secret of a provider',
      SecurityEvent.SecretChanged,
      { level: 'info', eventName: 'provider.updated', principal: 'environmentToken' },
      async () => {
        const provider = { provider: 'github', clientId: 'client', clientSecret: `first-${newId()}` };
        const { body } = await world.api.post<{ id: string }>(world.path('/settings/providers'), provider, {
          expect: 201,
        });
        const clientSecret = `second-${newId()}`;
        secrets.push(provider.clientSecret, clientSecret);
        await world.api.put(`/settings/providers/${body.id}`, { clientSecret }, { expect: 200 });
        // Another scope is no secret.
        await world.api.put(`/settings/providers/${body.id}`, { scopes: 'read:user' }, { expect: 200 });
      },
    ],
    [
      'another secret among the settings',
      SecurityEvent.SecretChanged,
      { level: 'info', eventName: 'environment.settings.updated' },
      async () => {
        const secretKey = `captcha-${newId()}`;
        secrets.push(secretKey);
        await world.api.put(world.path(''), { security: { captcha: { secretKey } } }, { expect: 200 });
        await world.api.put(world.path(''), { general: { displayName: 'Acme' } }, { expect: 200 });
      },
    ],
    [
      'an API token that is deleted',
      SecurityEvent.CredentialRemoved,
      { level: 'info', eventName: 'apiToken.deleted' },
      async () => {
        secrets.push(await world.mint(['environment.settings.read']));
        const [row] = await rowsOf<{ id: string }>(
          test,
          'SELECT id FROM api_tokens WHERE environment_id = $1 ORDER BY created_at DESC LIMIT 1',
          [world.environmentId],
        );
        await world.api.delete(world.path(`/tokens/${row!.id}`), { expect: 204 });
      },
    ],
    [
      'a member with another role',
      SecurityEvent.RoleChanged,
      { level: 'info', eventName: 'member.updated' },
      async () => {
        const { consoleEnvironmentId, organizationId } = world.ids;
        const { userId } = await world.signIn(newEmail(), { environmentId: consoleEnvironmentId });
        const [member] = await rowsOf<{ id: string }>(
          test,
          `INSERT INTO members (organization_id, id, user_id, role)
           VALUES ($1, gen_random_uuid(), $2, 'viewer') RETURNING id`,
          [organizationId, userId],
        );
        await world.owner.put(`/members/${member!.id}`, { role: 'developer' }, { expect: 200 });
      },
    ],
    [
      'a user who is deleted',
      SecurityEvent.UserDeleted,
      { level: 'info', eventName: 'user.deleted' },
      async () => {
        const made = await world.api.post<{ user: { id: string } }>(world.path('/users'), {}, { expect: 201 });
        await world.api.delete(world.path(`/users/${made.body.user.id}`), { expect: 204 });
      },
    ],
    [
      'a secret that is shown',
      SecurityEvent.SecretRevealed,
      { level: 'info', eventName: 'webhook.secret.revealed' },
      async () => {
        const hook = { url: 'https://receiver.example.com/hook', events: ['user.created'], isEnabled: false };
        const made = await world.api.post<{ webhookId: string; id: string; secret: string }>(
          world.path('/webhooks'),
          hook,
          { expect: 201 },
        );
        secrets.push(made.body.secret);
        const path = world.path(`/webhooks/${made.body.webhookId ?? made.body.id}`);
        await world.api.get(`${path}?includeSecret=true`, { expect: 200 });
      },
    ],
    [
      'a sign-in',
      SecurityEvent.SignedIn,
      { level: 'info', eventName: 'user.session.created' },
      async () => void secrets.push((await world.signIn(newEmail())).jwt),
    ],
    [
      'a new API token',
      SecurityEvent.CredentialIssued,
      { level: 'info', eventName: 'apiToken.created' },
      async () => void secrets.push(await world.mint(['environment.settings.read'])),
    ],
  ])('has one line and one count: %s', async (_what, event, expected, work) => {
    shown.add(event);
    const { lines, more } = await during(event, work);
    expect(lines).toEqual([expect.objectContaining({ ...expected, msg: expect.any(String) })]);
    expect(more).toBe(1);
  });

  it('names the request of a secret that was shown, as its event does, though showing it only reads', async () => {
    const hook = { url: 'https://receiver.example.com/hook', events: ['user.created'], isEnabled: false };
    const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), hook, { expect: 201 });
    const requestId = `shown-${newId()}`;
    const { lines } = await during(SecurityEvent.SecretRevealed, () =>
      world.api.get(world.path(`/webhooks/${body.webhookId}?includeSecret=true`), {
        headers: { 'x-request-id': requestId },
        expect: 200,
      }),
    );
    expect(lines).toEqual([expect.objectContaining({ requestId, resourceId: body.webhookId })]);
    expect(await rowsOf(test, 'SELECT name FROM events WHERE request_id = $1', [requestId])).toEqual([
      { name: 'webhook.secret.revealed' },
    ]);
  });

  it('has one line and one count: a call beyond its limit', async () => {
    const limited = await startTestApp({ env: { ROLE: 'api', RATE_LIMIT_SCALE: '1' }, databaseUrl: test.databaseUrl });
    Logger.overrideLogger(await JsonLogger.create('log', (line) => written.push(line)));
    const log = limited.app.get(SecurityLog);
    const anonymous = new TestClient(limited.url);
    const answers: number[] = [];
    while (!answers.includes(429) && answers.length < 50)
      answers.push((await anonymous.get(world.sdk('/nonce'))).status);
    const refused = answers.filter((status) => status === 429).length;
    await limited.close();
    expect([refused, log.count(SecurityEvent.RateLimited)]).toEqual([1, 1]);
    expect(written.filter((line) => line.includes('"rate.limited"'))).toHaveLength(1);
  });

  it('is every event there is, here or where it is made', () => {
    const elsewhere = Object.values(SecurityEvent).filter((event) => !shown.has(event));
    expect(elsewhere.toSorted()).toEqual(ELSEWHERE.toSorted());
  });

  it('has no line where nothing was refused and no credential was sent', async () => {
    const { lines, more } = await during(SecurityEvent.TokenRefused, async () => {
      await world.anonymous.get(world.sdk('/session'), { expect: 401 });
      await world.api.get(world.path('/users'), { expect: 200 });
    });
    expect([lines, more]).toEqual([[], 0]);
  });

  it('is told without an address, a credential or a text of the client', () => {
    const text = written.filter((line) => line.includes('"Security"')).join('');
    expect(secrets.length).toBeGreaterThan(6);
    for (const secret of [...secrets, world.token, stranger.token, world.ownerToken, '127.0.0.1', '169.254', '@']) {
      // Six digits may stand in an id.
      if (/^\d{6}$/.test(secret)) expect(text).not.toMatch(new RegExp(`(?<![0-9a-f])${secret}(?![0-9a-f])`));
      else expect(text).not.toContain(secret);
    }
  });
});
