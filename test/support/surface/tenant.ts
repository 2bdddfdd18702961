import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Role } from '../../../src/auth/index.js';
import { UnitOfWork } from '../../../src/database/index.js';
import { UserIdentities } from '../../../src/identity/index.js';
import { ApiTokensService, PersonalTokensService, ProjectsService } from '../../../src/organizations/index.js';
import type { TestApp } from '../app.js';
import { newEmail, World, type SignedIn } from '../world.js';
import { KINDS_IN_PATHS, type ApiOperation } from './operations.js';
import { customField, customNetwork } from './request-bodies.js';

export interface Member {
  id: string;
  userId: string;
  email: string;
  /** A personal token. */
  token: string;
}

/** Values of path parameters by name; `personalTokenId` is the `tokenId` of `/user/tokens`, `receivedInviteId` one to the caller. */
export type RecordIds = Record<string, string>;

/** A word that nobody else uses. */
export const word = (): string => `w${randomBytes(8).toString('hex')}`;

/** A wallet address nobody else uses. */
export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

/** What paths name, in an order in which it can be made. */
const RECORDS = [
  ...['userId', 'walletId', 'webhookId', 'messageId', 'replayId', 'eventId', 'tokenId', 'personalTokenId'],
  ...['networkId', 'customFieldId', 'memberId', 'originId', 'deeplinkUrlId', 'customHostnameId'],
  ...['inviteId', 'receivedInviteId', 'ssoProviderId', 'providerId'],
];

/** An organization with a record for every id that a path can name, each carrying the tenant's marker. */
export class Tenant {
  private constructor(
    readonly world: World,
    readonly db: pg.Client,
    /** A word that no other tenant knows. */
    readonly marker: string,
    readonly endUser: SignedIn,
    readonly ids: RecordIds,
  ) {}

  static async create(test: TestApp): Promise<Tenant> {
    const world = await World.create(test);
    const db = new pg.Client({ connectionString: test.databaseUrl });
    await db.connect();
    const marker = `marker${randomBytes(6).toString('hex')}`;
    const endUser = await world.signIn(`${marker}-end-user@example.com`);
    const { environments, organizationId, projectId } = world.ids;
    const ids = { environmentId: environments.sandbox, organizationId, projectId };
    const tenant = new Tenant(world, db, marker, endUser, ids);
    await world.owner.put(`/projects/${projectId}`, { name: `${marker} project` }, { expect: 200 });
    for (const name of RECORDS) {
      tenant.ids[name] = await tenant.makeRecord(name);
    }
    return tenant;
  }

  /** Texts of which none may ever reach another tenant. */
  get secrets(): string[] {
    const { live } = this.world.ids.environments;
    return [this.marker, this.world.ownerEmail, this.world.ids.ownerUserId, live, ...Object.values(this.ids)];
  }

  /** Ends the connection to the database. */
  async close(): Promise<void> {
    await this.db.end();
  }

  /** A new record that a path can name; personal tokens belong to `userId`, the owner unless given. */
  async makeRecord(name: string, userId: string = this.world.ids.ownerUserId): Promise<string> {
    const { world, marker } = this;
    switch (name) {
      case 'userId':
        return (await this.makeUser()).id;
      case 'walletId':
        return (await this.makeUser()).walletId;
      case 'webhookId': {
        const body = { url: `https://${marker}.example.com/hook`, isEnabled: true, events: ['user.created'] };
        const made = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), body, { expect: 201 });
        return made.body.webhookId;
      }
      case 'networkId': {
        const path = `/organizations/${world.ids.organizationId}/customNetworks`;
        const made = await world.owner.post<{ customNetwork: { id: string } }>(path, customNetwork(marker), {
          expect: 201,
        });
        return made.body.customNetwork.id;
      }
      case 'customFieldId': {
        const field = { ...customField(`${marker} ${randomBytes(4).toString('hex')}`) };
        return (await world.api.post<{ id: string }>(world.path('/custom/fields'), field, { expect: 201 })).body.id;
      }
      case 'originId': {
        const body = { origin: `https://${word()}.${marker}.example.com` };
        const made = await world.api.post<{ origin: { id: string } }>(world.path('/origins'), body, { expect: 201 });
        return made.body.origin.id;
      }
      case 'deeplinkUrlId': {
        const body = { url: `myapp://${marker}/${word()}` };
        const made = await world.api.post<{ id: string }>(world.path('/deeplinkUrls'), body, { expect: 201 });
        return made.body.id;
      }
      case 'customHostnameId': {
        const body = { hostname: `${word()}.${marker}.example.com`, usage: 'cookies' };
        const made = await world.api.post<{ id: string }>(world.path('/custom/hostnames'), body, { expect: 201 });
        return made.body.id;
      }
      case 'messageId':
        return this.makeMessage();
      case 'replayId': {
        const ends = '00000000-0000-0000-0000-000000000000';
        const sql = `INSERT INTO webhook_replays (environment_id, id, webhook_id, selection, since, until, from_id,
            end_id, position, state, ended_at)
          VALUES ($1, gen_random_uuid(), $2, 'all', now(), now(), $3, $3, $3, 'completed', now()) RETURNING id`;
        const values = [this.ids['environmentId'], this.ids['webhookId'], ends];
        return (await this.db.query<{ id: string }>(sql, values)).rows[0]!.id;
      }
      case 'eventId': {
        const sql = 'SELECT id FROM events WHERE environment_id = $1 AND data::text LIKE $2 LIMIT 1';
        const found = await this.db.query<{ id: string }>(sql, [this.ids['environmentId'], `%${marker}%`]);
        return found.rows[0]!.id;
      }
      case 'tokenId': {
        const asked = { note: marker, scopes: [], createdBy: userId };
        return (await world.test.app.get(ApiTokensService).mint(world.environmentId, asked)).id;
      }
      case 'projectId':
        return (await world.test.app.get(ProjectsService).createProject(world.ids.organizationId, word())).id;
      case 'memberId':
        return (await this.addMember('viewer')).id;
      case 'personalTokenId': {
        const tokens = world.test.app.get(PersonalTokensService);
        return (await tokens.mint(world.ids.consoleEnvironmentId, userId, { note: marker })).id;
      }
      case 'inviteId':
        return this.makeInvite(world.ids.organizationId, `${marker}-${newEmail()}`, world.ids.ownerUserId);
      case 'receivedInviteId':
        return this.makeReceivedInvite(userId);
      case 'providerId': {
        const body = { provider: 'github', clientId: marker, clientSecret: word() };
        return (await world.api.post<{ id: string }>(world.path('/settings/providers'), body, { expect: 201 })).body.id;
      }
      case 'ssoProviderId':
        return this.makeSsoProvider();
      default:
        throw new Error(`No record is known for the path parameter ${name}.`);
    }
  }

  private async makeUser(): Promise<{ id: string; walletId: string }> {
    const { world, marker } = this;
    const wallet = { chain: 'EVM', walletName: marker, walletProvider: 'browserExtension' };
    const { body } = await world.api.post<{ user: { id: string; wallets: { id: string }[] } }>(
      world.path('/users'),
      {
        email: `${marker}-${newEmail()}`,
        alias: marker,
        metadata: { note: marker },
        wallets: [{ ...wallet, publicWalletAddress: newAddress() }],
      },
      { expect: 201 },
    );
    return { id: body.user.id, walletId: body.user.wallets[0]!.id };
  }

  private async makeInvite(organizationId: string, email: string, createdBy: string): Promise<string> {
    const sql = `INSERT INTO invites (organization_id, id, email, role, alias, token_hash, created_by, expires_at)
      VALUES ($1, gen_random_uuid(), $2, 'viewer', $3, $4, $5, now() + interval '7 days') RETURNING id`;
    const values = [organizationId, email, this.marker, randomBytes(32), createdBy];
    return (await this.db.query<{ id: string }>(sql, values)).rows[0]!.id;
  }

  /** An invite of another organization to the address of a user of the console, which is proven. */
  private async makeReceivedInvite(userId: string): Promise<string> {
    const { consoleEnvironmentId } = this.world.ids;
    const proven = await this.db.query<{ email: string }>(
      `UPDATE identifier_claims SET proven_at = coalesce(proven_at, now())
       WHERE environment_id = $1 AND user_id = $2 AND kind = 'email' RETURNING identifier AS email`,
      [consoleEnvironmentId, userId],
    );
    const host = await this.db.query<{ organizationId: string; userId: string }>(
      `WITH host AS (INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), $1) RETURNING id)
       INSERT INTO members (organization_id, id, user_id, role)
       SELECT id, gen_random_uuid(), gen_random_uuid(), 'owner' FROM host
       RETURNING organization_id AS "organizationId", user_id AS "userId"`,
      [`${this.marker} host`],
    );
    const { organizationId, userId: createdBy } = host.rows[0]!;
    return this.makeInvite(organizationId, proven.rows[0]!.email, createdBy);
  }

  /** The setup of the organization, which has one: another takes the place of the one before. */
  async makeSsoProvider(id: string = randomUUID()): Promise<string> {
    const sql = `INSERT INTO sso_providers
        (organization_id, id, provider, client_id, sealed_client_secret, master_key_id, sso_domain, issuer, email_domain)
      VALUES ($1, $2, 'okta', $3, '', '', $4, 'https://' || $4, $4)
      ON CONFLICT (organization_id) DO UPDATE SET id = excluded.id`;
    await this.db.query(sql, [this.world.ids.organizationId, id, this.marker, `${this.marker}.example.com`]);
    return id;
  }

  /** A message with one delivery, as the worker would have left them. */
  private async makeMessage(): Promise<string> {
    const { environmentId, webhookId } = this.ids;
    const event = await this.makeRecord('eventId');
    const sql = `INSERT INTO webhook_messages (environment_id, id, webhook_id, event_id, status, attempts)
      VALUES ($1, gen_random_uuid(), $2, $3, 'failed', 1) RETURNING id`;
    const message = (await this.db.query<{ id: string }>(sql, [environmentId, webhookId, event])).rows[0]!.id;
    await this.db.query(
      `INSERT INTO webhook_deliveries (environment_id, id, message_id, attempt, status, request, response, delivered_at)
       VALUES ($1, gen_random_uuid(), $2, 1, 'failed', $3, $3, now())`,
      [environmentId, message, JSON.stringify({ headers: {}, body: this.marker })],
    );
    return message;
  }

  /** Another person of the organization. */
  async addMember(role: Role): Promise<Member> {
    const { app } = this.world.test;
    const { consoleEnvironmentId, organizationId } = this.world.ids;
    const email = newEmail();
    const { userId } = await app
      .get(UnitOfWork)
      .run((tx) =>
        app
          .get(UserIdentities)
          .ensure(consoleEnvironmentId, { kind: 'email', value: email }, { proven: false, draft: { email } }, tx),
      );
    const made = await this.db.query<{ id: string }>(
      'INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, $3) RETURNING id',
      [organizationId, userId, role],
    );
    const { rawToken } = await app.get(PersonalTokensService).mint(consoleEnvironmentId, userId, { note: role });
    return { id: made.rows[0]!.id, userId, email, token: rawToken };
  }

  /** The path of an operation on the tenant's records, or on those given instead. */
  pathOf(operation: ApiOperation, instead: RecordIds = {}): string {
    const ids = { ...KINDS_IN_PATHS, ...this.ids, ...instead };
    return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[recordName(operation, name)] ?? '');
  }
}

/** Records that belong to a person and not to a tenant. */
export const OF_PEOPLE: ReadonlySet<string> = new Set(['personalTokenId', 'receivedInviteId']);

/** The key of `RecordIds` for a path parameter. */
export function recordName(operation: ApiOperation, param: string): string {
  if (operation.id === 'updateInvite') return 'receivedInviteId';
  return param === 'tokenId' && operation.path.startsWith('/api/v0/user/') ? 'personalTokenId' : param;
}
