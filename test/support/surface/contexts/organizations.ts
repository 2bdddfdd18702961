import { randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '../../../../src/auth/index.js';
import { UnitOfWork } from '../../../../src/database/index.js';
import { ApiTokensService, PersonalTokensService, ProjectsService } from '../../../../src/organizations/index.js';
import { ClientSecrets } from '../../../../src/organizations/sso/client-secrets.js';
import { sharedDnsServer } from '../../dns-server.js';
import { sharedIdentityProvider } from '../../identity-provider.js';
import { newEmail } from '../../world.js';
import { word } from '../records.js';
import { keepOne } from '../room.js';
import type { OperationSurface, RecordSurface, RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const OF_A_PERSON = 'belongs to the person and to no organization; published in the console environment';

const tokenId: RecordSurface = {
  async make({ world, marker }, userId) {
    const asked = { note: marker, scopes: [], createdBy: userId };
    return (await world.test.app.get(ApiTokensService).mint(world.environmentId, asked)).id;
  },
};

const personalTokenId: RecordSurface = {
  ofPerson: true,
  async make({ world, marker }, userId) {
    const tokens = world.test.app.get(PersonalTokensService);
    return (await tokens.mint(world.ids.consoleEnvironmentId, userId, { note: marker })).id;
  },
};

async function makeInvite(tenant: Tenant, organizationId: string, email: string, createdBy: string): Promise<string> {
  const sql = `INSERT INTO invites (organization_id, id, email, role, alias, token_hash, created_by, expires_at)
    VALUES ($1, gen_random_uuid(), $2, 'viewer', $3, $4, $5, now() + interval '7 days') RETURNING id`;
  const values = [organizationId, email, tenant.marker, randomBytes(32), createdBy];
  return (await tenant.db.query<{ id: string }>(sql, values)).rows[0]!.id;
}

/** An invite of another organization to a proven address of a console user. */
async function makeReceivedInvite(tenant: Tenant, userId: string): Promise<string> {
  const { db, marker, world } = tenant;
  const proven = await db.query<{ email: string }>(
    `UPDATE identifier_claims SET proven_at = coalesce(proven_at, now())
     WHERE environment_id = $1 AND user_id = $2 AND kind = 'email' RETURNING identifier AS email`,
    [world.ids.consoleEnvironmentId, userId],
  );
  const host = await db.query<{ organizationId: string; userId: string }>(
    `WITH host AS (INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), $1) RETURNING id)
     INSERT INTO members (organization_id, id, user_id, role)
     SELECT id, gen_random_uuid(), gen_random_uuid(), 'owner' FROM host
     RETURNING organization_id AS "organizationId", user_id AS "userId"`,
    [`${marker} host`],
  );
  const { organizationId, userId: createdBy } = host.rows[0]!;
  return makeInvite(tenant, organizationId, proven.rows[0]!.email, createdBy);
}

/** The organization's setup, of which there is one: replaces the previous one. */
async function makeSsoProvider({ db, marker, world }: Tenant, id: string): Promise<string> {
  const sql = `INSERT INTO sso_providers
      (organization_id, id, provider, client_id, sealed_client_secret, master_key_id, sso_domain, issuer, email_domain,
       domain_challenge)
    VALUES ($1, $2, 'okta', $3, $5, $6, $4, 'https://' || $4, $4, $3)
    ON CONFLICT (organization_id) DO UPDATE SET id = excluded.id,
      sealed_client_secret = excluded.sealed_client_secret, master_key_id = excluded.master_key_id`;
  const { organizationId } = world.ids;
  const sealed = await world.test.app.get(ClientSecrets).seal(word(), { organizationId, id });
  const { sealedClientSecret, masterKeyId } = sealed;
  await db.query(sql, [organizationId, id, marker, `${marker}.example.com`, sealedClientSecret, masterKeyId]);
  return id;
}

const ssoProvider = async ({ marker }: Tenant) => ({
  clientId: word(),
  clientSecret: word(),
  ssoDomain: (await sharedIdentityProvider()).issuer,
  emailDomain: `${marker}.example.com`,
  provider: 'okta',
});

/** The DNS record that verifies the setup, whose verification is removed so that there is something to find. */
async function proveDomain({ db, ids, marker }: Tenant): Promise<RequestParts> {
  await db.query(
    `UPDATE sso_providers SET domain_proven_at = NULL, enforce_only_sso = false, email_domain = $2, domain_challenge = $3
     WHERE organization_id = $1`,
    [ids['organizationId'], `${marker}.example.com`, marker],
  );
  const dns = await sharedDnsServer();
  dns.set('TXT', `_gatehouse-sso.${marker}.example.com`, `gatehouse-sso-verification=${marker}`);
  return {};
}

/** Restores the setup in the tenant's path, which creations and deletions may have removed. */
const ssoSetUp =
  (make: (tenant: Tenant) => RequestParts | Promise<RequestParts>) =>
  async (tenant: Tenant): Promise<RequestParts> => {
    await makeSsoProvider(tenant, await tenant.idOf('ssoProviderId'));
    return make(tenant);
  };

/** Sets the second factors so that the call has something to change. */
const mfaSetTo = (enabledAt: 'NULL' | 'now()'): OperationSurface => ({
  async request({ db, ids }) {
    await db.query(
      `INSERT INTO organization_mfa_settings (organization_id, id, mfa_device_type, enabled_at)
       VALUES ($1, gen_random_uuid(), 'email', ${enabledAt})
       ON CONFLICT (organization_id, mfa_device_type) DO UPDATE SET enabled_at = excluded.enabled_at`,
      [ids['organizationId']],
    );
    return {};
  },
});

/** Makes room for projects, organizations and tokens, whose numbers are limited. */
const forgetProjects = ({ db, ids }: Tenant) =>
  db.query("UPDATE projects SET deleted_at = now() WHERE organization_id = $1 AND name LIKE 'made%'", [
    ids['organizationId'],
  ]);
const leaveOrganizations = ({ db }: Tenant) =>
  db.query(`DELETE FROM members m USING organizations o WHERE o.id = m.organization_id AND o.name LIKE 'made%'`);
const forgetTokens = ({ db }: Tenant, table: 'api_tokens' | 'personal_tokens') =>
  db.query(`DELETE FROM ${table} WHERE note = 'made'`);

/** Puts the tenant's member into the state that a call needs. */
const makeMember = ({ db, ids }: Tenant, role: Role) =>
  db.query('UPDATE members SET role = $2 WHERE id = $1', [ids['memberId'], role]);

async function anInviteIsRejected(tenant: Tenant): Promise<void> {
  const id = await tenant.makeRecord('receivedInviteId');
  await tenant.world.owner.put(`/invites/${id}`, { status: 'rejected' }, { expect: 200 });
}

export const surface: Surface = {
  records: {
    tokenId,
    personalTokenId,
    projectId: {
      make: async ({ world }) => {
        const [work, projects] = [world.test.app.get(UnitOfWork), world.test.app.get(ProjectsService)];
        return (await work.run((tx) => projects.createProject(world.ids.organizationId, word(), tx))).id;
      },
    },
    memberId: { make: async (tenant) => (await tenant.addMember('viewer')).id },
    inviteId: {
      make: (tenant) => {
        const { organizationId, ownerUserId } = tenant.world.ids;
        return makeInvite(tenant, organizationId, `${tenant.marker}-${newEmail()}`, ownerUserId);
      },
    },
    receivedInviteId: { ofPerson: true, make: makeReceivedInvite },
    ssoProviderId: { make: (tenant) => makeSsoProvider(tenant, randomUUID()) },
  },
  kinds: { mfaDeviceType: 'email' },
  operations: {
    postToken: {
      request: async (tenant) => {
        await forgetTokens(tenant, 'api_tokens');
        return { body: { note: 'made', scopes: ['environment.apiTokens.write'] } };
      },
    },
    createUserApiToken: {
      request: async (tenant) => {
        await forgetTokens(tenant, 'personal_tokens');
        return { body: { note: 'made' } };
      },
      unrecorded: OF_A_PERSON,
    },
    deleteUserApiToken: { paths: { tokenId: 'personalTokenId' }, unrecorded: OF_A_PERSON },
    getOrganizationTokens: {
      request: ({ world }) => ({ query: `limit=5&left=false&createdBy=${world.ids.ownerUserId}` }),
    },
    getAuditRecords: { request: ({ ids }) => ({ query: `limit=5&environmentId=${ids['environmentId']}` }) },
    createOrganization: {
      request: async (tenant) => {
        await leaveOrganizations(tenant);
        const body = { name: `made ${word()}`, websiteUrl: 'https://example.com', implementationTimeline: 'yesterday' };
        return { body };
      },
      rulesBeyondTheSchema: /^(name|websiteUrl): /,
    },
    updateOrganizationById: {
      request: () => ({ body: { name: word(), description: 'about', websiteUrl: 'https://example.com' } }),
      rulesBeyondTheSchema: /^(name|websiteUrl): /,
    },
    updateOrganizationAddressById: {
      request: () => ({ body: { addressLine1: word(), city: 'Zug', country: 'CH' } }),
    },
    createProject: {
      request: async (tenant) => {
        await forgetProjects(tenant);
        return { body: { name: `made ${word()}` } };
      },
      rulesBeyondTheSchema: /^name: /,
    },
    updateProject: { request: () => ({ body: { name: word() } }), rulesBeyondTheSchema: /^name: / },
    deleteMemberById: {
      toldSometimes: {
        'apiToken.deleted': 'when the member has made tokens',
        'invite.deleted': 'when another address of the member has been invited',
      },
    },
    updateMemberRole: {
      toldSometimes: { 'invite.deleted': 'when the member has sent invites that the new role may not send' },
      request: async (tenant) => {
        await makeMember(tenant, 'viewer');
        return { body: { role: 'developer' } };
      },
    },
    delegateOwnership: {
      toldSometimes: { 'invite.deleted': 'when the former owner has invited owners' },
      request: async (tenant) => {
        await makeMember(tenant, 'owner');
        return { body: { adminMemberIdToDelegate: (await tenant.addMember('admin')).id } };
      },
    },
    createInvite: {
      request: async (tenant) => {
        await keepOne('invites', 'organizationId', 'inviteId')(tenant);
        return { body: { email: newEmail(), alias: 'made', role: 'viewer' } };
      },
      toldSometimes: { 'invite.deleted': 'when it takes the place of an older one to the same address' },
    },
    getInvites: { request: () => ({ query: 'status=pending' }) },
    updateInvite: {
      request: () => ({ body: { status: 'accepted' } }),
      paths: { inviteId: 'receivedInviteId' },
      usesUp: true,
      toldSometimes: { 'invite.rejected': 'when it is rejected' },
    },
    enableMfaDeviceForOrganization: mfaSetTo('NULL'),
    disableMfaDeviceForOrganization: mfaSetTo('now()'),
    getSsoProviderForOrganization: { request: ssoSetUp(() => ({})) },
    createSsoProvider: {
      request: async (tenant) => {
        await tenant.db.query('DELETE FROM sso_providers WHERE organization_id = $1', [tenant.ids['organizationId']]);
        return { body: await ssoProvider(tenant) };
      },
    },
    updateSsoProvider: {
      request: ssoSetUp(async (tenant) => ({ body: { ...(await ssoProvider(tenant)), enforceOnlySSO: false } })),
    },
    verifySsoDomain: { request: ssoSetUp(proveDomain) },
  },
  scenarios: { 'a rejected invite': anInviteIsRejected },
  commands: {
    'organizations create': { options: () => ['--name', word(), '--owner', newEmail()] },
    'members link': {
      options: ({ world }) => ['--organization', world.ids.organizationId, '--email', world.ownerEmail],
      untold: 'changes nothing that others follow; the trail has it',
    },
    'audit verify': { untold: 'only reads' },
  },
};
