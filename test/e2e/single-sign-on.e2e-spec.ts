import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../src/common/clock.js';
import { DomainProofsJob } from '../../src/organizations/sso/domain-proofs.job.js';
import { DomainProofs, type Claimant } from '../../src/organizations/sso/domain-proofs.service.js';
import { SignInLinks } from '../../src/identity/index.js';
import { PersonalTokensService } from '../../src/organizations/index.js';
import { ProviderUrls } from '../../src/providers/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import { Jobs } from '../../src/queue/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { DnsServer } from '../support/dns-server.js';
import { TestClient } from '../support/client.js';
import { answer, inviteGuest, ofOrganization, signInGuest } from '../support/invites.js';
import { OpenIdPeer, type PeerAccount, type PeerAnswer } from '../support/openid-peer.js';
import { captureLog } from '../support/log.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors } from '../support/second-factor.js';
import { enableSms, newPhone, verifyPhone } from '../support/sms.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

interface Setup {
  id: string;
  emailDomain: string;
  enforceOnlySSO: boolean;
  domainProof: { status: string; name: string; value: string; problem?: string };
}
interface Answered {
  code?: string;
  payload?: Record<string, string>;
  jwt: string;
  elevatedAccessToken?: string;
  user: {
    id: string;
    email?: string;
    lastVerifiedCredentialId?: string;
    verifiedCredentials: { id: string; format: string; oauth_connection_id?: string }[];
  };
}

const CLIENT = { clientId: 'client', clientSecret: 'secret-of-the-client', provider: 'okta' };
const random = (): string => randomBytes(32).toString('base64url');
const newDomain = (): string => `d${randomBytes(6).toString('hex')}.example.net`;

let test: TestApp;
let dns: DnsServer;
let peer: OpenIdPeer;
let world: World;
let other: World;

beforeAll(async () => {
  [dns, peer] = [await DnsServer.start(), await OpenIdPeer.start()];
  test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api', DNS_SERVERS: dns.address } });
  [world, other] = [await World.create(test), await World.create(test)];
  peer.serve(redirectUrls(), ['client_secret_basic', 'client_secret_post']);
  await addSite(world);
  await enableSms(world);
});
beforeEach(() => fillRows(test, 'DELETE FROM sso_providers'));
afterAll(async () => {
  await test.close();
  await peer.stop();
  dns.close();
});

function redirectUrls(): string[] {
  const environments = [world.environmentId, other.environmentId, world.ids.consoleEnvironmentId];
  return environments.map((id) => test.app.get(ProviderUrls).of(id, 'okta').redirectUrl!);
}

const pathOf = (of: World, rest = ''): string => ofOrganization(of, `/ssoProvider${rest}`);
const publish = ({ domainProof: { name, value } }: Setup, ...more: string[]): void =>
  dns.set('TXT', name, value, ...more);
const withdraw = ({ domainProof: { name } }: Setup): void => dns.remove('TXT', name);

async function claim(of: World, emailDomain = newDomain()): Promise<Setup> {
  const request = { ...CLIENT, ssoDomain: peer.issuer, emailDomain };
  return (await of.owner.post<Setup>(pathOf(of), request, { expect: 201 })).body;
}
const look = async (of: World, { id }: Setup): Promise<Setup> =>
  (await of.owner.post<Setup>(pathOf(of, `/${id}/domainProof`), undefined, { expect: 200 })).body;
const change = (of: World, { id }: Setup, body: object) => of.owner.put<Setup & Answered>(pathOf(of, `/${id}`), body);

/** A setup whose domain is proven. */
async function proven(of: World, emailDomain?: string): Promise<Setup> {
  const setup = await claim(of, emailDomain);
  publish(setup);
  const seen = await look(of, setup);
  expect(seen.domainProof.status).toBe('proven');
  return seen;
}

const doorOf = async (email: string, environmentId: string = world.environmentId): Promise<object> =>
  (await world.anonymous.post<object>(world.sdk('/ssoProvider', environmentId), { email }, { expect: 200 })).body;

/** A browser of its own that signs in at the provider of an organization. */
class Visitor {
  readonly state = random();
  private cookie = '';

  constructor(
    private readonly setup: Pick<Setup, 'id'>,
    private readonly environmentId: string = world.environmentId,
    private readonly provider = 'okta',
  ) {}

  private at(rest: string): string {
    return world.sdk(`/providers/${this.provider}${rest}`, this.environmentId);
  }

  private get options() {
    return { headers: { cookie: this.cookie } };
  }

  async begin() {
    const body = { state: this.state, ssoProviderId: this.setup.id };
    const answer = await world.anonymous.post<Answered>(this.at('/initAuth'), body);
    this.cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return answer;
  }

  login() {
    return world.anonymous.get<Answered>(this.at('/login'), this.options);
  }

  /** To the provider, which signs in an account, and back. */
  async visit(account: PeerAccount, changes: Record<string, string> = {}): Promise<this> {
    expect((await this.begin()).status).toBe(204);
    const left = await this.login();
    expect(left.status).toBe(302);
    peer.account = account;
    const back = await peer.visit(left.headers.get('location')!);
    const answered = { ...Object.fromEntries(back.searchParams), ...changes };
    const query = new URLSearchParams(answered).toString();
    await world.anonymous.get(this.at(`/redirect?${query}`), this.options);
    return this;
  }

  async finish(body: object = {}, path = '/signIn', token?: string) {
    const result = await world.anonymous.post<Answered>(this.at('/oauthResult'), { state: this.state }, this.options);
    const request = { state: this.state, code: result.body.code, ...body };
    return world.anonymous.post<Answered>(this.at(path), request, { ...this.options, ...(token && { token }) });
  }
}

const signInAs = async (setup: Setup, account: PeerAccount, environmentId?: string) =>
  (await new Visitor(setup, environmentId).visit(account)).finish();
const accountOf = ({ emailDomain }: Setup, more: Partial<PeerAccount> = {}): PeerAccount => ({
  sub: random(),
  email: `ann.${randomBytes(4).toString('hex')}@${emailDomain}`,
  ...more,
});

describe('the email domain of a setup', () => {
  it('is proven by the record that the setup shows, which is recorded, told and counts from then on', async () => {
    const setup = await claim(world);
    const email = `ann@${setup.emailDomain}`;
    expect(await look(world, setup)).toMatchObject({
      domainProof: { status: 'pending', problem: expect.stringContaining('There is no TXT record') },
    });
    expect(await doorOf(email)).toEqual({ type: 'otp' });
    dns.set('TXT', setup.domainProof.name, `${setup.domainProof.value}0`);
    expect((await look(world, setup)).domainProof.problem).toContain('Another TXT record');
    publish(setup, 'v=spf1 -all');
    const seen = await look(world, setup);
    expect(seen.domainProof).toEqual({
      ...setup.domainProof,
      status: 'proven',
      provenAt: expect.any(String),
    });
    expect((await look(world, setup)).domainProof).toEqual(seen.domainProof);
    const sso = { type: 'sso', provider: 'okta', id: setup.id };
    const { sandbox, live } = world.ids.environments;
    for (const id of [sandbox, live, world.ids.consoleEnvironmentId]) {
      const ssoAuthUrl = expect.stringMatching(`/api/v0/sdk/${id}/providers/okta/login$`);
      expect(await doorOf(email, id)).toEqual({ ...sso, ssoAuthUrl });
    }
    expect(await doorOf(email, other.environmentId)).toEqual({ type: 'otp' });
    expect(await doorOf(`ann@sub.${setup.emailDomain}`)).toEqual({ type: 'otp' });
    const told = await auditOf(test, world.ids.organizationId, { resourceId: setup.id });
    expect(told.map(({ action }) => action)).toEqual(['ssoProvider.created', 'ssoProvider.updated']);
    expect(told[1]!.actor['kind']).not.toBe('service');
    const events = await eventsOf(test, world.ids.consoleEnvironmentId, setup.id);
    expect(events.at(-1)).toMatchObject({ data: { domainProof: { status: 'proven' } } });
    expect(events).toHaveLength(2);
  });

  it('is proven for one of five organizations that have it looked at fifty times at once', async () => {
    const worlds = [world, other, await World.create(test), await World.create(test), await World.create(test)];
    const emailDomain = newDomain();
    const setups = await Promise.all(worlds.map((of) => claim(of, emailDomain)));
    publish(setups[0]!, ...setups.slice(1).map(({ domainProof }) => domainProof.value));
    const calls = Array.from({ length: 50 }, (_, at) => look(worlds[at % 5]!, setups[at % 5]!));
    const answers = await Promise.all(calls);
    const winners = new Set(answers.filter(({ domainProof }) => domainProof.status === 'proven').map(({ id }) => id));
    expect(winners.size).toBe(1);
    const rows = await rowsOf<{ id: string }>(test, 'SELECT id FROM sso_providers WHERE domain_proven_at IS NOT NULL');
    expect(rows.map(({ id }) => id)).toEqual([...winners]);
    const loser = answers.find(({ id }) => !winners.has(id))!;
    expect(loser.domainProof).toMatchObject({ status: 'pending', problem: expect.stringContaining('another') });
    const twice = 'UPDATE sso_providers SET domain_proven_at = now()';
    await expect(fillRows(test, twice)).rejects.toThrow('sso_providers_domain_proven_once');
  });

  it('goes to whoever has it now, once the record of the one before is gone', async () => {
    const before = await proven(world);
    await change(world, before, { enforceOnlySSO: true });
    const after = await claim(other, before.emailDomain);
    publish(before, after.domainProof.value);
    expect((await look(other, after)).domainProof.status).toBe('pending');
    publish(after);
    expect((await look(other, after)).domainProof.status).toBe('proven');
    const lost = (await world.owner.get<Setup>(pathOf(world))).body;
    expect([lost.domainProof.status, lost.enforceOnlySSO]).toEqual(['pending', false]);
  });

  it('is looked for again every day; silence changes nothing, and an answer without the record ends the proof', async () => {
    const setup = await proven(world);
    await change(world, setup, { enforceOnlySSO: true });
    const job = test.app.get(DomainProofsJob);
    const aDayLater = async (): Promise<Setup> => {
      await fillRows(test, "UPDATE sso_providers SET domain_checked_at = now() - interval '25 hours'");
      await job.run();
      return (await world.owner.get<Setup>(pathOf(world))).body;
    };
    dns.misbehave(setup.domainProof.name, 'fails');
    expect(await aDayLater()).toMatchObject({ enforceOnlySSO: true, domainProof: { status: 'proven' } });
    dns.misbehave(setup.domainProof.name);
    withdraw(setup);
    await job.run();
    expect((await world.owner.get<Setup>(pathOf(world))).body.domainProof.status).toBe('proven');
    expect(await aDayLater()).toMatchObject({ enforceOnlySSO: false, domainProof: { status: 'pending' } });
    const told = await auditOf(test, world.ids.organizationId, { resourceId: setup.id });
    expect(told.at(-1)).toMatchObject({ actor: { kind: 'service' }, changes: { enforceOnlySSO: [true, false] } });
    expect((await new Visitor(setup).begin()).body.code).toBe('sso_not_available');
  });

  it('is looked for again before long when the process that looked ended, and not by one that stops', async () => {
    const setup = await proven(world);
    withdraw(setup);
    const job = test.app.get(DomainProofsJob);
    const later = (time: string) =>
      fillRows(test, `UPDATE sso_providers SET domain_checked_at = domain_checked_at - interval '${time}'`);
    const status = async () => (await world.owner.get<Setup>(pathOf(world))).body.domainProof.status;
    await later('25 hours');
    const stopping = jest.spyOn(test.app.get(Jobs), 'isStopping', 'get').mockReturnValue(true);
    const ended = jest.spyOn(test.app.get(DomainProofs), 'settle').mockRejectedValue(new Error('planted'));
    const log = captureLog();
    try {
      await job.run();
      expect(ended).not.toHaveBeenCalled();
      stopping.mockRestore();
      await job.run();
      expect(ended).toHaveBeenCalled();
    } finally {
      stopping.mockRestore();
      ended.mockRestore();
      log.stop();
    }
    await job.run();
    expect(await status()).toBe('proven');
    await later('10 minutes');
    await job.run();
    expect(await status()).toBe('pending');
  });

  it('is looked for again by the clock of the database: a worker that is a year ahead does not put it off', async () => {
    const setup = await proven(world);
    await fillRows(test, "UPDATE sso_providers SET domain_checked_at = now() - interval '25 hours'");
    const ahead = jest.spyOn(test.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 365 * 86_400_000));
    try {
      await test.app.get(DomainProofsJob).run();
    } finally {
      ahead.mockRestore();
    }
    const found = `SELECT domain_checked_at BETWEEN now() - interval '1 min' AND now() AS "isNow"
      FROM sso_providers WHERE id = $1`;
    expect(await rowsOf(test, found, [setup.id])).toEqual([{ isNow: true }]);
  });

  it('is proven anew when it is another one, and nobody is held to a provider until then', async () => {
    const setup = await proven(world);
    expect((await change(world, setup, { enforceOnlySSO: true })).body.enforceOnlySSO).toBe(true);
    const both = await change(world, setup, { emailDomain: newDomain(), enforceOnlySSO: true });
    expect([both.status, both.body.code]).toEqual([422, 'single_sign_on_not_enforced']);
    const { body } = await change(world, setup, { emailDomain: newDomain() });
    expect(body).toMatchObject({ enforceOnlySSO: false, domainProof: { status: 'pending' } });
    expect((await change(world, setup, { enforceOnlySSO: true })).body.code).toBe('single_sign_on_not_enforced');
    expect(await doorOf(`ann@${setup.emailDomain}`)).toEqual({ type: 'otp' });
    const forced = 'UPDATE sso_providers SET enforce_only_sso = true';
    await expect(fillRows(test, forced)).rejects.toThrow('sso_providers_enforced_proven');
  });

  it('is not proven by what the DNS has said of the one that was claimed while it was asked', async () => {
    const setup = await claim(world);
    publish(setup);
    const [asked] = await rowsOf<Claimant>(
      test,
      `SELECT id, organization_id AS "organizationId", email_domain AS "emailDomain", domain_challenge AS "domainChallenge"
       FROM sso_providers WHERE id = $1`,
      [setup.id],
    );
    const emailDomain = newDomain();
    expect((await change(world, setup, { emailDomain })).status).toBe(200);
    await test.app.get(DomainProofs).settle(asked!);
    const { body } = await world.owner.get<Setup>(pathOf(world));
    expect(body).toMatchObject({ emailDomain, domainProof: { status: 'pending' } });
    expect(body.domainProof).not.toHaveProperty('problem');
  });
});

describe('a sign-in at the provider of an organization', () => {
  it('goes to its issuer with its client, and opens a session of whoever has proven the address', async () => {
    const setup = await proven(world);
    const account = accountOf(setup);
    const visitor = new Visitor(setup);
    await visitor.begin();
    const page = new URL((await visitor.login()).headers.get('location')!);
    expect([page.origin, page.searchParams.get('client_id')]).toEqual([peer.issuer, 'client']);
    expect(page.searchParams.get('code_challenge_method')).toBe('S256');
    expect(page.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
    const { userId } = await world.signIn(account.email!);
    const { status, body } = await signInAs(setup, account);
    expect([status, body.user.id]).toEqual([200, userId]);
    const amr = JSON.parse(Buffer.from(body.jwt.split('.')[1]!, 'base64url').toString()).amr as string[];
    expect(amr).toEqual(['fed', 'sso']);
    // The account is known by itself from then on.
    const moved = { ...account, email: `moved@${setup.emailDomain}` };
    expect((await signInAs(setup, moved)).body.user.id).toBe(userId);
    const [tokens] = await rowsOf<{ count: string }>(test, 'SELECT count(*) FROM oauth_tokens WHERE user_id = $1', [
      userId,
    ]);
    expect(tokens!.count).toBe('0');
  });

  it('creates the user of an address that is new, and ties the account to who is signed in', async () => {
    const setup = await proven(world);
    const account = accountOf(setup);
    const first = await signInAs(setup, account);
    expect(first.body.user.email).toBe(account.email);
    const { jwt, userId } = await world.signIn(newEmail());
    const second = accountOf(setup);
    const linked = await (await new Visitor(setup).visit(second)).finish({}, '/verify', jwt);
    expect([linked.status, linked.body.user.id]).toEqual([200, userId]);
    expect((await signInAs(setup, second)).body.user.id).toBe(userId);
  });

  it('lets members in at the console, as the user whose address it is', async () => {
    const setup = await proven(world);
    const { consoleEnvironmentId } = world.ids;
    const account = accountOf(setup);
    const { userId } = await world.signIn(account.email!, { environmentId: consoleEnvironmentId });
    const { body } = await signInAs(setup, account, consoleEnvironmentId);
    expect(body.user.id).toBe(userId);
  });

  it('knows accounts by setup and subject: the same subject elsewhere is somebody else', async () => {
    const { consoleEnvironmentId } = world.ids;
    const [here, there] = [await proven(world), await proven(other)];
    const sub = random();
    const first = await signInAs(here, accountOf(here, { sub }), consoleEnvironmentId);
    const second = await signInAs(there, accountOf(there, { sub }), consoleEnvironmentId);
    expect(second.body.user.id).not.toBe(first.body.user.id);
    const moved = (await change(world, here, { emailDomain: newDomain() })).body;
    publish(moved);
    await look(world, moved);
    const third = await signInAs(moved, accountOf(moved, { sub }), consoleEnvironmentId);
    expect([third.status, third.body.user.id === first.body.user.id]).toEqual([200, false]);
  });

  it('names the account at the setup there is, not that of the same subject at one before', async () => {
    const before = await proven(world);
    const account = accountOf(before);
    const first = (await signInAs(before, account)).body.user;
    await fillRows(test, 'DELETE FROM sso_providers');
    const after = await proven(world, before.emailDomain);
    for (const _ of ['new', 'known']) {
      const { user } = (await signInAs(after, account)).body;
      const accounts = user.verifiedCredentials.filter(({ format }) => format === 'oauth');
      const connections = accounts.map(({ oauth_connection_id }) => oauth_connection_id);
      expect([user.id, accounts.length, new Set(connections).size]).toEqual([first.id, 2, 2]);
      expect(user.lastVerifiedCredentialId).toBe(accounts[1]!.id);
    }
  });

  it.each<[string, (setup: Setup) => Partial<PeerAccount>]>([
    ['outside of the domain', () => ({ email: 'ann@elsewhere.example', email_verified: true })],
    ['below the domain', ({ emailDomain }) => ({ email: `ann@sub.${emailDomain}` })],
    ['whose domain ends alike', ({ emailDomain }) => ({ email: `ann@x${emailDomain}` })],
    ['with two domains', ({ emailDomain }) => ({ email: `ann@${emailDomain}@elsewhere.example` })],
    ['that is none', () => ({ email: undefined })],
    ['that the provider calls unverified', () => ({ email_verified: false })],
    ['that the provider calls unverified in a text', () => ({ email_verified: 'false' })],
  ])('is refused for an address %s', async (_, more) => {
    const setup = await proven(world);
    const { status, body } = await signInAs(setup, accountOf(setup, more(setup)));
    expect([status, body.code, body.payload]).toEqual([422, 'sso_address_refused', { emailDomain: setup.emailDomain }]);
  });

  it('sends the secret in the form where the provider takes it only there', async () => {
    const usual = peer;
    peer = await OpenIdPeer.start();
    try {
      peer.serve(redirectUrls(), ['client_secret_post']);
      const setup = await proven(world);
      expect((await signInAs(setup, accountOf(setup))).status).toBe(200);
    } finally {
      await peer.stop();
      peer = usual;
    }
  });

  describe('at a provider whose id tokens have no address', () => {
    let usual: OpenIdPeer;
    beforeAll(async () => {
      usual = peer;
      peer = await OpenIdPeer.start();
      peer.serve(redirectUrls(), undefined, true);
    });
    afterEach(() => {
      peer.tells = undefined;
    });
    afterAll(async () => {
      await peer.stop();
      peer = usual;
    });

    it.each([true, 'true', undefined])('takes the one that it tells when asked: verified %s', async (verified) => {
      const setup = await proven(world);
      const account = accountOf(setup, { email_verified: verified });
      const { status, body } = await signInAs(setup, account);
      expect([status, body.user.email]).toEqual([200, account.email]);
    });

    it.each<[string, (setup: Setup) => Partial<PeerAccount>]>([
      ['outside of the domain', () => ({ email: 'ann@elsewhere.example' })],
      ['that is none', () => ({ email: undefined })],
      ['that the provider calls unverified', () => ({ email_verified: false })],
    ])('is refused for an address %s', async (_, more) => {
      const setup = await proven(world);
      expect((await signInAs(setup, accountOf(setup, more(setup)))).body.code).toBe('sso_address_refused');
    });

    it.each<[string, string, (setup: Setup) => PeerAnswer]>([
      ['of another account', 'id_token', (setup) => [200, { ...accountOf(setup) }]],
      ['of no account', 'id_token', ({ emailDomain }) => [200, { email: `ann@${emailDomain}` }]],
      ['that is a list', 'refused', () => [200, []]],
      ['that is a refusal', 'refused', () => [403, { error: 'insufficient_scope' }]],
    ])('is refused for an answer %s', async (_, reason, tells) => {
      const setup = await proven(world);
      peer.tells = tells(setup);
      const { status, body } = await signInAs(setup, accountOf(setup));
      expect([status, body.payload?.['reason']]).toEqual([422, reason]);
    });
  });

  it('is refused in environments of others, at another provider, and without a proof', async () => {
    const setup = await proven(world);
    const codeOf = async (visitor: Visitor) => (await visitor.begin()).body.code;
    expect(await codeOf(new Visitor(setup, other.environmentId))).toBe('sso_not_available');
    expect(await codeOf(new Visitor(setup, world.environmentId, 'google'))).toBe('sso_not_available');
    expect(await codeOf(new Visitor({ id: crypto.randomUUID() }))).toBe('sso_not_available');
    expect(await codeOf(new Visitor(await claim(other), other.environmentId))).toBe('sso_not_available');
  });

  it('is at a provider that owners choose: an admin with one of their own could come in as an owner', async () => {
    const admin = await signInGuest(world);
    await answer(admin, (await inviteGuest(world, admin, 'admin')).id, 'accepted');
    const evil = await OpenIdPeer.start();
    try {
      evil.serve([]);
      const setup = await proven(world);
      const [path, elsewhere] = [pathOf(world, `/${setup.id}`), { ...CLIENT, ssoDomain: evil.issuer }];
      const put = (body: object) => admin.client.put<Setup & Answered>(path, body);
      expect((await put(elsewhere)).status).toBe(403);
      // Nor by way of another domain: the record of the first would still be there.
      expect((await put({ emailDomain: newDomain() })).status).toBe(200);
      expect((await put(elsewhere)).status).toBe(403);
      expect((await put({ ...CLIENT, ssoDomain: peer.issuer, emailDomain: setup.emailDomain })).status).toBe(200);
      const shown = (await look(world, setup)) as Setup & { ssoDomain: string };
      expect([shown.domainProof.status, shown.ssoDomain]).toEqual(['proven', peer.issuer]);
      expect((await change(world, setup, elsewhere)).body).toMatchObject({ ssoDomain: evil.issuer });
    } finally {
      await evil.stop();
    }
  });

  it('is refused when the setup is another one by the end, or gone', async () => {
    const setup = await proven(world);
    const [changed, deleted] = [new Visitor(setup), new Visitor(setup)];
    await changed.visit(accountOf(setup));
    await deleted.visit(accountOf(setup));
    await change(world, setup, { clientId: 'another' });
    expect((await changed.finish()).body.code).toBe('sso_setup_changed');
    expect((await changed.login()).body.code).toBe('sso_setup_changed');
    await world.owner.delete(pathOf(world, `/${setup.id}`), { expect: 204 });
    expect((await deleted.finish()).body.code).toBe('sso_not_available');
  });

  it('is refused when it is finished for another setup, by another browser, or with a stolen code', async () => {
    const setup = await proven(world);
    const visitor = await new Visitor(setup).visit(accountOf(setup));
    const elsewhere = { ssoProviderId: crypto.randomUUID() };
    expect((await visitor.finish(elsewhere)).body.code).toBe('oauth_attempt_unknown');
    expect((await new Visitor(setup).finish({ state: visitor.state, code: random() })).body.code).toBe(
      'oauth_attempt_elsewhere',
    );
    const forged = await new Visitor(setup).visit(accountOf(setup), { iss: 'https://evil.example' });
    expect((await forged.finish()).body.code).toBe('social_sign_in_failed');
    const thief = await new Visitor(setup).visit(accountOf(setup), { code: 'code-of-somebody-else' });
    expect((await thief.finish()).body.code).toBe('social_sign_in_failed');
    expect((await visitor.finish({ ssoProviderId: setup.id.toUpperCase() })).status).toBe(200);
    expect((await visitor.finish()).body.code).not.toBeUndefined();
  });
});

describe('single sign-on alone', () => {
  const create = (email: string, environmentId?: string) =>
    world.anonymous.post<Answered>(world.sdk('/emailVerifications/create', environmentId), { email });
  /** What guards know of an environment may be a second old. */
  const enforce = async (setup: Setup, of = world): Promise<void> => {
    await change(of, setup, { enforceOnlySSO: true });
    const refuses = async (environmentId: string): Promise<boolean> =>
      (await create(`${randomBytes(6).toString('hex')}@${setup.emailDomain}`, environmentId)).status === 422;
    await eventually('enforcement', () => refuses(of.environmentId));
    await eventually('enforcement at the console', () => refuses(world.ids.consoleEnvironmentId));
  };

  it('sends no code to addresses of the domain, takes none that is on its way, and names the door', async () => {
    const setup = await proven(world);
    const email = `ann@${setup.emailDomain}`;
    const [{ jwt }, verificationUUID] = [await world.signIn(newEmail()), await world.sendCode(email)];
    await enforce(setup);
    const door = { ssoProviderId: setup.id, provider: 'okta', emailDomain: setup.emailDomain };
    const refused = [422, 'single_sign_on_required', door];
    const token = { token: jwt };
    const answer = { verificationUUID, verificationToken: world.code(email) };
    const post = (path: string, body: object, options = {}) =>
      world.anonymous.post<Answered>(world.sdk(path), body, options);
    const answers = [
      await create(`Bob@${setup.emailDomain.toUpperCase()}`),
      await create(email, world.ids.consoleEnvironmentId),
      await post('/emailVerifications/retry', { verificationUUID, email }),
      await post('/emailVerifications/signin', answer),
      await post('/emailVerifications/verify', answer, token),
      await world.anonymous.put<Answered>(world.sdk('/users'), { email }, token),
    ];
    for (const { status, body } of answers) expect([status, body.code, body.payload]).toEqual(refused);
    // A code that is right is no failed try: nobody has to wait for it.
    const tries = `SELECT v.attempts, d.failures FROM email_verifications v
      JOIN code_destinations d USING (environment_id, destination_hash) WHERE v.id = $1`;
    expect(await rowsOf(test, tries, [verificationUUID])).toEqual([{ attempts: 0, failures: 0 }]);
    expect((await create(newEmail())).status).toBe(201);
    expect((await create(email, other.environmentId)).status).toBe(201);
    expect((await signInAs(setup, accountOf(setup, { email }))).status).toBe(200);
  });

  it('closes every other door to whoever has proven an address of the domain', async () => {
    const setup = await proven(world);
    const key = newKey();
    const { jwt } = await world.signIn(`ann@${setup.emailDomain}`);
    const wallet = (path: string, body: object, token?: string) =>
      world.anonymous.post<Answered>(world.sdk(path), body, token ? { token } : {});
    expect((await wallet('/wallets/verify', await keySignIn(world, key), jwt)).status).toBe(200);
    await enforce(setup);
    const { status, body } = await wallet('/verify', await keySignIn(world, key));
    expect([status, body.code]).toEqual([422, 'single_sign_on_required']);
    const stranger = await wallet('/verify', await keySignIn(world, newKey()));
    expect(stranger.status).toBe(200);
  });

  it('closes the way round by another account: nothing of the account is shown, merged away or moved', async () => {
    const accounts = new Accounts(world);
    const setup = await proven(world);
    const held = await world.signIn(`ann@${setup.emailDomain}`);
    const [key, phone] = [newKey(), newPhone()];
    expect((await accounts.post('/wallets/verify', held.jwt, await keySignIn(world, key))).status).toBe(200);
    expect((await verifyPhone(world, held.jwt, phone)).status).toBe(200);
    const [offered, stranger] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    expect(codeOf(await verifyPhone(world, offered.jwt, phone))).toBe('merge_accounts_confirmation');
    const before = await accounts.user(held.userId);
    await enforce(setup);
    const show = async (path: string, more: object = {}) =>
      accounts.post(path, stranger.jwt, { ...(await keySignIn(world, key)), ...more });
    const answers = [
      await verifyPhone(world, stranger.jwt, phone),
      await show('/verify/link'),
      await show('/verify/transfer'),
      await show('/verify/transfer', { skipEmptyAccountCheck: true }),
      await accounts.post('/users/merge', offered.jwt),
      await accounts.post('/verify/merge', offered.jwt, { mergeUserResolutions: [] }),
    ];
    const door = { ssoProviderId: setup.id, provider: 'okta', emailDomain: setup.emailDomain };
    for (const { status, body } of answers) {
      expect([status, body.code, body.payload]).toEqual([422, 'single_sign_on_required', door]);
      expect(JSON.stringify(body)).not.toContain(held.userId);
    }
    expect(codeOf(await accounts.post('/users/merge', stranger.jwt))).toBe('merge_accounts_invalid');
    expect(await accounts.user(held.userId)).toEqual(before);
    expect(await accounts.isLive(held.jwt)).toBe(true);
  });

  it('lets whoever came in at the provider make their two accounts one', async () => {
    const accounts = new Accounts(world);
    const setup = await proven(world);
    const account = accountOf(setup);
    const held = await signInAs(setup, account);
    await enforce(setup);
    const ada = await world.signIn(newEmail());
    const offered = await (await new Visitor(setup).visit(account)).finish({}, '/verify', ada.jwt);
    expect([offered.status, offered.body.code]).toEqual([422, 'merge_accounts_confirmation']);
    const merged = await accounts.post('/users/merge', ada.jwt);
    expect([merged.status, codeOf(merged)]).toEqual([200, undefined]);
    const proofs = merged.body.user.verifiedCredentials.flatMap(({ previous_users: former = [] }) => former);
    expect(proofs).toContain(held.body.user.id);
  });

  it('is how a fresh proof is given, and named as such while it can be', async () => {
    const setup = await proven(world);
    await enforce(setup);
    const account = accountOf(setup);
    await signInAs(setup, account);
    const { jwt } = (await signInAs(setup, account)).body;
    const named = async () => {
      const options = { token: jwt, expect: 200 };
      const request = { scope: 'credential:link' };
      const path = world.sdk('/stepUp/check');
      type Check = { credentials: { format: string; type?: string }[] };
      const { body } = await world.anonymous.post<Check>(path, request, options);
      return body.credentials.map(({ format, type }) => [format, type]);
    };
    expect(await named()).toEqual([['oauth', 'okta']]);
    const again = await (
      await new Visitor(setup).visit(account)
    ).finish({ requestedScopes: ['credential:link'] }, '/verify', jwt);
    expect([again.status, typeof again.body.elevatedAccessToken]).toEqual([200, 'string']);
    await world.owner.delete(pathOf(world, `/${setup.id}`), { expect: 204 });
    expect(await named()).toEqual([['email', undefined]]);
  });

  it('locks nobody out at the console: by the link of an operator an admin takes it back, and not by a token', async () => {
    const setup = await proven(world);
    const { consoleEnvironmentId, organizationId } = world.ids;
    const admin = await signInGuest(world, newEmailOf(setup));
    const { email, userId } = admin;
    await answer(admin, (await inviteGuest(world, admin, 'admin')).id, 'accepted');
    const minted = await test.app.get(PersonalTokensService).mint(consoleEnvironmentId, userId, { note: 'test' });
    await enforce(setup);
    expect((await create(email, consoleEnvironmentId)).status).toBe(422);
    const takeBack = (token: string) =>
      new TestClient(test.url, token).put<Setup & Answered>(pathOf(world, `/${setup.id}`), { enforceOnlySSO: false });
    const byToken = await takeBack(minted.rawToken);
    expect([byToken.status, byToken.body.code]).toEqual([403, 'fresh_proof_required']);
    const { url } = await test.app.get(SignInLinks).create({ organizationId, userId, email });
    const client = { ipAddress: '192.0.2.1', userAgent: 'test' };
    const signedIn = await test.app.get(SignInLinks).tokensFor(new URL(url).hash.slice(1), client as never);
    expect((await takeBack(signedIn.jwt!)).body.enforceOnlySSO).toBe(false);
    await eventually('the end of enforcement', async () => (await create(newEmailOf(setup))).status === 201);
  });

  it('leaves a device to register, where everybody needs a second factor and no code is sent to the address', async () => {
    const setup = await proven(other);
    await allowSecondFactors(other, { required: true, methods: ['totp', 'email'] });
    await enforce(setup, other);
    const account = accountOf(setup);
    const { jwt } = (await signInAs(setup, account, other.environmentId)).body;
    expect((await create(account.email!, other.environmentId)).body.code).toBe('single_sign_on_required');
    const { secret } = await addDevice(other, jwt, other.environmentId);
    expect(secret).toMatch(/^[A-Z2-7]+$/);
    // An address to which codes go is still a second factor, which nobody goes round with a device.
    const free = await signInAs(setup, accountOf(setup), other.environmentId);
    const claim = `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
                   VALUES ($1, 'email', $2, $3, now())`;
    await fillRows(test, claim, [other.environmentId, newEmail(), free.body.user.id]);
    const path = other.sdk('/users/mfa/register/totp', other.environmentId);
    const refused = await other.anonymous.get<Answered>(path, { token: free.body.jwt });
    expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_required']);
    await allowSecondFactors(other);
  });

  it.each([false, true])(
    'is no matter for the provider of another organization, which holds its own: %s',
    async (both) => {
      const { consoleEnvironmentId } = world.ids;
      const [here, there] = [await proven(world), await proven(other)];
      const email = newEmailOf(here);
      const { jwt, userId } = await world.signIn(email, { environmentId: consoleEnvironmentId });
      const elsewhere = accountOf(there);
      const linked = await (await new Visitor(there, consoleEnvironmentId).visit(elsewhere)).finish({}, '/verify', jwt);
      expect([linked.status, linked.body.user.id]).toEqual([200, userId]);
      await enforce(here);
      if (both) await enforce(there, other);
      const { status, body } = await signInAs(there, elsewhere, consoleEnvironmentId);
      const door = { ssoProviderId: here.id, provider: 'okta', emailDomain: here.emailDomain };
      expect([status, body.code, body.payload]).toEqual([422, 'single_sign_on_required', door]);
      const admitted = await signInAs(here, accountOf(here, { email }), consoleEnvironmentId);
      expect([admitted.status, admitted.body.user.id]).toEqual([200, userId]);
    },
  );

  it('takes a proof of the provider that holds now: an offer of one that was deleted merges nothing', async () => {
    const accounts = new Accounts(world);
    const setup = await proven(world);
    const account = accountOf(setup);
    await signInAs(setup, account);
    const ada = await world.signIn(newEmail());
    const offered = await (await new Visitor(setup).visit(account)).finish({}, '/verify', ada.jwt);
    expect(offered.body.code).toBe('merge_accounts_confirmation');
    await world.owner.delete(pathOf(world, `/${setup.id}`), { expect: 204 });
    const again = await proven(world, setup.emailDomain);
    await enforce(again);
    const { status, body } = await accounts.post('/users/merge', ada.jwt);
    expect([status, body.code]).toEqual([422, 'single_sign_on_required']);
    expect(body.payload).toMatchObject({ ssoProviderId: again.id, emailDomain: setup.emailDomain });
  });

  it('is not got rid of by giving up the address: the account would come in by any other way', async () => {
    const accounts = new Accounts(world);
    const setup = await proven(world);
    await enforce(setup);
    const account = accountOf(setup);
    const { jwt, user } = (await signInAs(setup, account)).body;
    const key = newKey();
    expect((await accounts.post('/wallets/verify', jwt, await keySignIn(world, key))).status).toBe(200);
    const { verifiedCredentials } = await accounts.user(user.id);
    const address = verifiedCredentials.find(({ format }) => format === 'email')!;
    const unlinked = await accounts.post('/verify/unlink', jwt, { verifiedCredentialId: address.id });
    const came = await world.anonymous.post<Answered>(world.sdk('/verify'), await keySignIn(world, key));
    expect([came.status, came.body.code]).toEqual([422, 'single_sign_on_required']);
    expect([unlinked.status, codeOf(unlinked)]).toEqual([422, 'address_held_to_single_sign_on']);
    // Another address of the domain takes its place, and of two that are removed at once one stays.
    await signInAs(setup, { ...account, email: newEmailOf(setup) });
    const both = (await accounts.user(user.id)).verifiedCredentials.filter(({ format }) => format === 'email');
    expect(both).toHaveLength(2);
    const removals = both.map(({ id }) => accounts.post('/verify/unlink', jwt, { verifiedCredentialId: id }));
    expect((await Promise.all(removals)).map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('refuses whoever has addresses of two that hold, but for the link of the operator, until one lets go', async () => {
    const { consoleEnvironmentId, organizationId } = world.ids;
    const [here, there] = [await proven(world), await proven(other)];
    const [email, second] = [newEmailOf(here), newEmailOf(there)];
    const { jwt, userId } = await world.signIn(email, { environmentId: consoleEnvironmentId });
    const verificationUUID = await world.sendCode(second, consoleEnvironmentId);
    const code = { verificationUUID, verificationToken: world.code(second) };
    const path = world.sdk('/emailVerifications/verify', consoleEnvironmentId);
    await world.anonymous.post(path, code, { token: jwt, expect: 200 });
    await enforce(here);
    await enforce(there, other);
    const comeIn = (setup: Setup, address: string) =>
      signInAs(setup, accountOf(setup, { email: address }), consoleEnvironmentId);
    const [first, last] = [await comeIn(here, email), await comeIn(there, second)];
    expect([first.status, first.body.payload?.['ssoProviderId']]).toEqual([422, there.id]);
    expect([last.status, last.body.payload?.['ssoProviderId']]).toEqual([422, here.id]);
    const { url } = await test.app.get(SignInLinks).create({ organizationId, userId, email });
    const client = { ipAddress: '192.0.2.1', userAgent: 'test' };
    expect((await test.app.get(SignInLinks).tokensFor(new URL(url).hash.slice(1), client as never)).jwt).toMatch(/\./);
    await change(other, there, { enforceOnlySSO: false });
    await eventually('the end of one', async () => (await comeIn(here, email)).status === 200);
  });
});

const newEmailOf = ({ emailDomain }: Setup): string => `${randomBytes(6).toString('hex')}@${emailDomain}`;
