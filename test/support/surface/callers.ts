import { SignJWT } from 'jose';
import { ROLES, TOKEN_SCOPES, roleReaches, type Role, type TokenScope } from '../../../src/auth/index.js';
import { SigningKeys } from '../../../src/environments/index.js';
import { newEmail, type SignedIn, type World } from '../world.js';
import type { ApiOperation } from './operations.js';
import type { Member, Tenant } from './tenant.js';
import type { Verdict } from './verdict.js';

export interface Caller {
  name: string;
  token(operation: ApiOperation): Promise<string | null> | string | null;
  /** Sent in the query string, where credentials are never accepted. */
  inQuery?: boolean;
  /** The console user whose personal tokens the caller may see. */
  userId?: string;
  /** The operations for which this caller is relevant; all by default. */
  calls?: (operation: ApiOperation) => boolean;
  /** Gets a new session for each call, since the operation may end it. */
  isEndUser?: boolean;
  verdict(operation: ApiOperation): Verdict;
}

/** Public operations ignore credentials, so invalid ones do no harm. */
const orOpen =
  (decide: (operation: ApiOperation) => Verdict) =>
  (operation: ApiOperation): Verdict =>
    operation.audience === 'public' ? 'open' : decide(operation);

const nobody = orOpen(() => [401]);

function ofToken(granted: (scope: TokenScope) => boolean, isOfTenant = true): Caller['verdict'] {
  return orOpen((operation) => {
    if (operation.audience === 'end-user') return [401];
    if (operation.scope === null) return operation.statuses.includes(403) ? [403] : [401];
    if (!isOfTenant && operation.namesTenant) return [404];
    return granted(operation.scope) ? 'success' : [403];
  });
}

const ofMember = (role: Role): Caller['verdict'] =>
  orOpen(({ audience, leastRole }) => {
    if (audience === 'end-user') return [401];
    return leastRole && roleReaches(role, leastRole) ? 'success' : [403];
  });

const ofStranger = orOpen((operation) => {
  if (operation.audience === 'end-user') return [401];
  return operation.namesTenant ? [404] : 'success';
});

const needsSession = (operation: ApiOperation): boolean => operation.needsSession;

/** A personal token cannot give a fresh proof. */
const withoutProof =
  (decide: Caller['verdict']): Caller['verdict'] =>
  (operation) => {
    const verdict = decide(operation);
    return operation.needsSession && verdict === 'success' ? [403] : verdict;
  };

/** An end user's token signed with the environment's key, with other claims. */
export async function resign(
  world: World,
  jwt: string,
  claims: Record<string, unknown>,
  environmentId = world.environmentId,
): Promise<string> {
  const { kid, privateKey } = await world.test.app.get(SigningKeys).signer(environmentId);
  const old = JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as object;
  const { typ } = JSON.parse(Buffer.from(jwt.split('.')[0]!, 'base64url').toString()) as { typ: string };
  return new SignJWT({ ...old, ...claims }).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(privateKey);
}

/** Every kind of caller, valid and invalid. */
export async function makeCallers(tenant: Tenant, stranger: Tenant): Promise<Caller[]> {
  const { world } = tenant;
  const all = TOKEN_SCOPES.values;
  const minted = new Map<string, Promise<string>>();
  const mint = (key: string, scopes: readonly TokenScope[]): Promise<string> => {
    const known = minted.get(key) ?? world.mint(scopes);
    minted.set(key, known);
    return known;
  };
  const members = new Map<Role, Member>();
  for (const role of ROLES.values) members.set(role, await tenant.addMember(role));

  const revokedToken = await world.mint(all);
  const expiredToken = await world.mint(all);
  const expiredPersonal = await tenant.addMember('owner');
  await tenant.db.query(`DELETE FROM api_tokens WHERE checksum = $1`, [revokedToken.slice(-6)]);
  for (const [table, token] of [
    ['api_tokens', expiredToken],
    ['personal_tokens', expiredPersonal.token],
  ] as const) {
    await tenant.db.query(`UPDATE ${table} SET expires_at = now() - interval '1 second' WHERE checksum = $1`, [
      token.slice(-6),
    ]);
  }

  const sessionOf = (email: string) => (): Promise<SignedIn> => world.provenSignIn(email);
  const ownerSession = sessionOf(world.ownerEmail);
  const consoleSession = await ownerSession();
  const { live } = world.ids.environments;
  const liveUser = await world.signIn(newEmail(), { environmentId: live });
  const revoked = await world.signIn(newEmail());
  await world.anonymous.withToken(revoked.jwt).post(world.sdk('/revoke'), undefined, { expect: 204 });
  const ended = await world.signIn(newEmail());
  await tenant.db.query("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1", [
    ended.sessionId,
  ]);
  const now = Math.floor(Date.now() / 1000);
  const past = { iat: now - 7200, exp: now - 3600 };
  const fresh = async (): Promise<SignedIn> => world.signIn(newEmail());
  const endUser = orOpen(({ audience }) => (audience === 'end-user' ? 'success' : [401]));
  const refused = (name: string, token: string): Caller => ({ name, token: () => token, verdict: nobody });

  return [
    { name: 'nobody', token: () => null, verdict: nobody },
    refused('a malformed bearer', 'not a token'),
    {
      name: 'a good token in the query string',
      token: ({ audience }) => (audience === 'end-user' ? tenant.endUser.jwt : world.token),
      inQuery: true,
      verdict: nobody,
    },
    {
      name: 'an API token with every scope but the needed one',
      token: ({ scope }) =>
        mint(
          `all but ${scope}`,
          all.filter((other) => other !== scope),
        ),
      verdict: ofToken(() => false),
    },
    {
      name: 'an API token with exactly the needed scope',
      token: ({ scope }) => mint(`only ${scope}`, scope ? [scope] : []),
      verdict: ofToken(() => true),
    },
    {
      name: "an API token of the project's other environment",
      token: () => minted.get('live') ?? minted.set('live', world.mint(all, live)).get('live')!,
      verdict: ofToken(() => true, false),
    },
    {
      name: 'an API token of another organization',
      token: () => stranger.world.token,
      verdict: ofToken(() => true, false),
    },
    refused('a revoked API token', revokedToken),
    refused('an expired API token', expiredToken),
    refused('an expired personal token', expiredPersonal.token),
    ...[...members].map(([role, member]) => ({
      name: `a personal token of ${role === 'viewer' || role === 'developer' ? 'a' : 'an'} ${role}`,
      token: () => member.token,
      userId: member.userId,
      verdict: withoutProof(ofMember(role)),
    })),
    ...[...members].map(([role, { email, userId }]) => ({
      name: `a session of ${role === 'viewer' || role === 'developer' ? 'a' : 'an'} ${role}`,
      token: async () => (await sessionOf(email)()).jwt,
      userId,
      calls: needsSession,
      verdict: ofMember(role),
    })),
    {
      name: 'a session of a member of another organization',
      token: async () => (await stranger.world.provenSignIn()).jwt,
      userId: stranger.world.ids.ownerUserId,
      calls: needsSession,
      verdict: ofStranger,
    },
    {
      name: 'a personal token of a member of another organization',
      token: () => stranger.world.ownerToken,
      userId: stranger.world.ids.ownerUserId,
      verdict: withoutProof(ofStranger),
    },
    {
      name: "the owner's session of the console",
      token: async () => (await ownerSession()).jwt,
      userId: world.ids.ownerUserId,
      verdict: ofMember('owner'),
    },
    {
      name: "the owner's session of the console, in its minified form",
      token: async () => (await ownerSession()).minifiedJwt,
      userId: world.ids.ownerUserId,
      verdict: ofMember('owner'),
    },
    { name: 'an end user', token: async () => (await fresh()).jwt, verdict: endUser },
    { name: 'an end user with the minified token', token: async () => (await fresh()).minifiedJwt, verdict: endUser },
    refused("an end user of the project's other environment", liveUser.jwt),
    refused('an end user of another organization', stranger.endUser.jwt),
    refused('an end user whose session is revoked', revoked.jwt),
    refused('an end user whose session has ended', ended.jwt),
    refused('an end user with an expired token', await resign(world, tenant.endUser.jwt, past)),
    refused('a console session with an expired token', await resignConsole(world, consoleSession.jwt, past)),
    refused(
      'a token of a session that does not exist',
      await resign(world, tenant.endUser.jwt, { sid: crypto.randomUUID() }),
    ),
    refused(
      'a token of somebody else in the same session',
      await resign(world, tenant.endUser.jwt, { sub: tenant.ids['userId'] }),
    ),
    refused('a console token signed by the key of another environment', await resign(world, consoleSession.jwt, {})),
  ];
}

const resignConsole = (world: World, jwt: string, claims: Record<string, unknown>): Promise<string> =>
  resign(world, jwt, claims, world.ids.consoleEnvironmentId);
