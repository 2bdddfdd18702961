import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { CreateNotes20270101000000 } from '../../examples/notes/20270101000000-create-notes.js';
import { NOTE_CREATED, NOTE_DELETED, NotesModule } from '../../examples/notes/index.js';
import { CreateOneTimeLinks20270101000100 } from '../../examples/one-time-links/20270101000100-create-one-time-links.js';
import { OneTimeLinksModule } from '../../examples/one-time-links/index.js';
import { SignInHoursModule } from '../../examples/sign-in-hours/index.js';
import { mintEnvironmentId, TOKEN_SCOPES } from '../../src/auth/index.js';
import { createApp } from '../../src/bootstrap/create-app.js';
import { provision, type Provisioned } from '../../src/provisioning/index.js';
import { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import { Config } from '../../src/config/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { schemaDifference } from '../../src/database/generate-migration.js';
import { UserCreation } from '../../src/identity/index.js';
import { ApiTokensService } from '../../src/organizations/index.js';
import { DevInbox } from '../../src/providers/index.js';
import { parseKeyRing } from '../../src/vault/index.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';

/** A team of a test's own, with a token of its sandbox. */
interface Team {
  ids: Provisioned;
  token: string;
}

describe('an application with the examples', () => {
  let database: TestDatabase;
  let app: NestExpressApplication;
  let url: string;
  let now = new Date();

  beforeAll(async () => {
    database = await createDatabase();
    const masterKey = process.env['GATEHOUSE_TEST_MASTER_KEY'] ?? '';
    const config = Config.load({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      RATE_LIMIT_SCALE: '10',
      DATABASE_URL: database.url,
      MASTER_KEY: masterKey,
    });

    const extensions = [NotesModule, OneTimeLinksModule, SignInHoursModule.between('08:00', '18:00')];
    app = await createApp({ config, vault: parseKeyRing(masterKey), extensions });
    const runner = app.get(DataSource).createQueryRunner();
    await new CreateNotes20270101000000().up(runner);
    await new CreateOneTimeLinks20270101000100().up(runner);
    await runner.release();
    const clock = app.get(Clock);
    clock.now = () => now;
    await app.listen(0, '127.0.0.1');
    url = `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/api/v0`;
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const call = async (
    method: string,
    path: string,
    options: { token?: string; body?: object; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(options.token && { authorization: `Bearer ${options.token}` }),
        ...(options.body && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.body && JSON.stringify(options.body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };

  async function newTeam(): Promise<Team> {
    const ids = await provision(app, { organization: newId(), project: 'Notes', ownerEmail: `${newId()}@example.com` });
    const asked = { note: 'test', scopes: TOKEN_SCOPES.values, createdBy: ids.ownerUserId };
    return { ids, token: (await app.get(ApiTokensService).mint(ids.environments.sandbox, asked)).rawToken };
  }

  const eventsOf = async ({ ids }: Team): Promise<string[]> => {
    const rows = await app
      .get(DataSource)
      .query<{ name: string }[]>(
        "SELECT name FROM events WHERE environment_id = $1 AND name LIKE 'note.%' ORDER BY id",
        [ids.environments.sandbox],
      );
    return rows.map(({ name }) => name);
  };

  describe('notes', () => {
    it('are written, listed and deleted, each with its event', async () => {
      const team = await newTeam();
      const path = `/environments/${team.ids.environments.sandbox}/notes`;
      const written = await call('POST', path, { token: team.token, body: { text: 'water the plants' } });
      expect(written).toMatchObject({ status: 201, body: { id: expect.any(String), text: 'water the plants' } });
      expect(written.body).not.toHaveProperty('environmentId');
      const listed = await call('GET', path, { token: team.token });
      expect(listed.body).toEqual({ notes: [written.body] });
      expect((await call('DELETE', `${path}/${written.body.id}`, { token: team.token })).status).toBe(204);
      expect((await call('DELETE', `${path}/${written.body.id}`, { token: team.token })).status).toBe(404);
      expect(await eventsOf(team)).toEqual([NOTE_CREATED.name, NOTE_DELETED.name]);
    });

    it('about a user are delivered in order, to the last', async () => {
      const { ids, token } = await newTeam();
      const base = `/environments/${ids.environments.sandbox}`;
      const made = await call('POST', `${base}/users`, { token, body: { alias: 'ann', email: 'ann@example.com' } });
      const userId = (made.body as { user: { id: string } }).user.id;
      const note = await call('POST', `${base}/notes`, { token, body: { text: 'call her', userId } });
      expect((await call('DELETE', `${base}/notes/${note.body.id}`, { token })).status).toBe(204);
      const told = await app
        .get(DataSource)
        .query<object[]>(
          "SELECT subject_user_id FROM events WHERE environment_id = $1 AND name LIKE 'note.%' ORDER BY id",
          [ids.environments.sandbox],
        );
      expect(told).toEqual([{ subject_user_id: userId }, { subject_user_id: userId }]);
    });

    it('of another team look like missing ones', async () => {
      const [mine, other] = [await newTeam(), await newTeam()];
      const path = `/environments/${mine.ids.environments.sandbox}/notes`;
      const { body } = await call('POST', path, { token: mine.token, body: { text: 'mine' } });
      expect((await call('GET', path, { token: other.token })).status).toBe(404);
      const fromOutside = `/environments/${other.ids.environments.sandbox}/notes/${body.id}`;
      expect((await call('DELETE', fromOutside, { token: other.token })).status).toBe(404);
      expect((await call('GET', path)).status).toBe(401);
    });

    it('are refused if too long, too many, or with undeclared fields', async () => {
      const team = await newTeam();
      const path = `/environments/${team.ids.environments.sandbox}/notes`;
      const write = (body: object) => call('POST', path, { token: team.token, body });
      expect((await write({ text: 'x'.repeat(1001) })).body).toMatchObject({ code: 'validation_failed' });
      expect((await write({ text: 'x', environmentId: newId() })).status).toBe(400);
      await app.get(DataSource).query(
        `INSERT INTO notes (environment_id, id, text)
         SELECT $1, gen_random_uuid(), 'before ' || n FROM generate_series(1, 60) n`,
        [team.ids.environments.sandbox],
      );
      const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => write({ text: `${at}` })));
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused.map(({ body }) => body.code)).toEqual(Array.from({ length: 10 }, () => 'too_many_notes'));
    });

    it('with the same text are one note, also when written concurrently', async () => {
      const team = await newTeam();
      const path = `/environments/${team.ids.environments.sandbox}/notes`;
      const body = { text: 'once' };
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => call('POST', path, { token: team.token, body })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused).toHaveLength(49);
      expect(refused[0]?.body).toMatchObject({ code: 'duplicate_exists' });
      expect((await call('GET', path, { token: team.token })).body.notes).toHaveLength(1);
    });

    it('are written once if a call is repeated with its key', async () => {
      const team = await newTeam();
      const path = `/environments/${team.ids.environments.sandbox}/notes`;
      const once = { token: team.token, body: { text: 'with a key' }, headers: { 'idempotency-key': newId() } };
      const [first, second] = [await call('POST', path, once), await call('POST', path, once)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.body).toEqual(first.body);
    });

    it('about nobody, or a user of another environment, are refused', async () => {
      const [mine, other] = [await newTeam(), await newTeam()];
      const { id } = await app
        .get(UserCreation)
        .create(mintEnvironmentId(other.ids.environments.sandbox), {}, { kind: 'service' }, app.get(UnitOfWork));
      const path = `/environments/${mine.ids.environments.sandbox}/notes`;
      for (const userId of [newId(), id]) {
        const answer = await call('POST', path, { token: mine.token, body: { text: 'stray', userId } });
        expect(answer).toMatchObject({ status: 422, body: { code: 'reference_not_found' } });
      }
    });

    it('about a user are deleted with the user', async () => {
      const team = await newTeam();
      const environment = `/environments/${team.ids.environments.sandbox}`;
      const { id } = await app
        .get(UserCreation)
        .create(mintEnvironmentId(team.ids.environments.sandbox), {}, { kind: 'service' }, app.get(UnitOfWork));
      const about = await call('POST', `${environment}/notes`, {
        token: team.token,
        body: { text: 'kind', userId: id },
      });
      expect(about).toMatchObject({ status: 201, body: { userId: id } });
      expect((await call('DELETE', `${environment}/users/${id}`, { token: team.token })).status).toBeLessThan(300);
      expect((await call('GET', `${environment}/notes`, { token: team.token })).body).toEqual({ notes: [] });
    });

    it('have a table that equals their entity', async () => {
      const { up } = await schemaDifference(app.get(DataSource));
      expect(up.filter((query) => query.includes('notes'))).toEqual([]);
    });
  });

  describe('one-time links', () => {
    beforeAll(() => {
      now = new Date('2026-03-01T12:00:00Z');
    });

    async function linkFor(team: Team, person: string): Promise<string> {
      const path = `/environments/${team.ids.environments.sandbox}/oneTimeLinks`;
      const { status, body } = await call('POST', path, { token: team.token, body: { person } });
      expect([status, body.person]).toEqual([201, person]);
      return body.secret;
    }
    const follow = ({ ids }: Team, secret: string, more: object = {}) =>
      call('POST', `/sdk/${ids.environments.sandbox}/oneTimeLinks/signin`, { body: { secret, ...more } });

    it('sign in the person they were made for, as one user, each once', async () => {
      const team = await newTeam();
      const [first, second] = [await linkFor(team, 'p-7'), await linkFor(team, 'p-7')];
      const signedIn = await follow(team, first);
      expect(signedIn).toMatchObject({
        status: 200,
        body: {
          jwt: expect.any(String),
          user: { verifiedCredentials: [{ format: 'externalUser', signInEnabled: true }] },
        },
      });
      expect(await follow(team, first)).toMatchObject({ status: 422, body: { code: 'wrong_one_time_link' } });
      const again = await follow(team, second);
      expect([again.status, again.body.user.id]).toEqual([200, signedIn.body.user.id]);
    });

    it('used fifty times concurrently sign in once', async () => {
      const team = await newTeam();
      const secret = await linkFor(team, 'p-50');
      const answers = await Promise.all(Array.from({ length: 50 }, () => follow(team, secret)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
    });

    it('work for no other team, and are stored only as a hash', async () => {
      const [mine, other] = [await newTeam(), await newTeam()];
      const secret = await linkFor(mine, 'p-1');
      expect(await follow(other, secret)).toMatchObject({ status: 422, body: { code: 'wrong_one_time_link' } });
      const rows = await app.get(DataSource).query<object[]>('SELECT * FROM one_time_links');
      expect(JSON.stringify(rows)).not.toContain(secret);
    });

    it('do not prove a mailbox: where a code by mail is required, the link alone registers no device', async () => {
      const team = await newTeam();
      const environmentId = team.ids.environments.sandbox;
      const { user } = (await follow(team, await linkFor(team, 'p-2'))).body;
      const proven = `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
        VALUES ($1, 'email', 'p-2@example.com', $2, now())`;
      await app.get(DataSource).query(proven, [environmentId, user.id]);
      const methods = ['totp', 'email'].map((type) => ({ type, enabled: true }));
      const body = { security: { mfa: { enabled: true, required: true, methods } } };
      expect((await call('PUT', `/environments/${environmentId}`, { token: team.token, body })).status).toBe(200);
      const token = (await follow(team, await linkFor(team, 'p-2'))).body.jwt;
      const registered = await call('GET', `/sdk/${environmentId}/users/mfa/register/totp`, { token });
      expect(registered).toMatchObject({ status: 403, body: { code: 'second_factor_required' } });
    });

    it('require the captcha of the flow, although the method does not mention one', async () => {
      const team = await newTeam();
      const demand = `UPDATE environment_settings SET settings = jsonb_set(settings, '{security,captcha}', '{"enabled": true}')
        WHERE environment_id = $1`;
      await app.get(DataSource).query(demand, [team.ids.environments.sandbox]);
      const secret = await linkFor(team, 'p-1');
      expect(await follow(team, secret)).toMatchObject({ status: 422, body: { code: 'captcha_refused' } });
    });
  });

  describe('sign-in hours', () => {
    async function signIn(team: Team, email: string, code?: { id: string; secret: string }) {
      const sdk = `/sdk/${team.ids.environments.sandbox}`;
      const id =
        code?.id ?? (await call('POST', `${sdk}/emailVerifications/create`, { body: { email } })).body.verificationUUID;
      const secret = code?.secret ?? app.get(DevInbox).entries.find(({ to }) => to === email)?.code ?? '';
      const body = { verificationUUID: id, verificationToken: secret };
      return { code: { id, secret }, answer: await call('POST', `${sdk}/emailVerifications/signin`, { body }) };
    }
    const usersOf = async ({ ids, token }: Team) =>
      (await call('GET', `/environments/${ids.environments.sandbox}/users`, { token })).body.count;

    it('refuse at night and change nothing: the same code signs in by day', async () => {
      const team = await newTeam();
      now = new Date('2026-03-01T20:00:00Z');
      const { code, answer } = await signIn(team, 'night@example.com');
      expect(answer).toMatchObject({ status: 403, body: { code: 'sign_in_closed' } });
      expect(answer.headers.get('retry-after')).toBe(String(12 * 3600));
      expect(await usersOf(team)).toBe(0);

      now = new Date('2026-03-01T12:00:00Z');
      const byDay = await signIn(team, 'night@example.com', code);
      expect(byDay.answer).toMatchObject({ status: 200, body: { user: { email: 'night@example.com' } } });
      expect(await usersOf(team)).toBe(1);
    });
  });

  it('rate limits the sign-ins of a method that declares no limits', async () => {
    const team = await newTeam();
    const path = `/sdk/${team.ids.environments.sandbox}/oneTimeLinks/signin`;
    const tries = Array.from({ length: 110 }, () => call('POST', path, { body: { secret: 'x'.repeat(43) } }));
    const refused = (await Promise.all(tries)).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('ratelimit-policy')).toBe('10;w=60');
  });
});
