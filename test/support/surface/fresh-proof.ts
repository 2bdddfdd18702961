import { ELEVATED_SCOPES, ELEVATED_TOKEN_HEADER } from '../../../src/auth/index.js';
import { Elevations } from '../../../src/identity/assurance/elevations.js';
import type { World } from '../world.js';
import type { ApiOperation } from './operations.js';
import type { Tenant } from './tenant.js';

/** The header of a fresh proof for everything, given in the session of a token; none for what is no such token. */
export async function proofOf(world: World, token: string | null): Promise<Record<string, string>> {
  const claims = token?.split('.')[1];
  if (!claims) return {};
  const { sub, sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; sid: string };
  const elevations = world.test.app.get(Elevations, { strict: false });
  const subject = { userId: sub, sessionId: sid };
  const elevated = await elevations.issue(world.environmentId, subject, ELEVATED_SCOPES.values, new Date());
  return elevated === null ? {} : { [ELEVATED_TOKEN_HEADER]: elevated };
}

const SESSION_MS = 200_000;
const sessions = new WeakMap<Tenant, { jwt: string; until: number }>();

/** The owner's session of the console, begun in the last minutes. */
export async function consoleSession(tenant: Tenant): Promise<string> {
  const { world } = tenant;
  const known = sessions.get(tenant);
  if (known && known.until > Date.now()) return known.jwt;
  const { jwt } = await world.signIn(world.ownerEmail, { environmentId: world.ids.consoleEnvironmentId });
  sessions.set(tenant, { jwt, until: Date.now() + SESSION_MS });
  return jwt;
}

/** The credential of the owner that an operation takes. */
export const ownerToken = (tenant: Tenant, { needsSession }: ApiOperation): Promise<string> =>
  needsSession ? consoleSession(tenant) : Promise.resolve(tenant.world.ownerToken);

/** What an end user sends beside the token to an operation that asks for a fresh proof. */
export const freshProof = async (
  { world }: Tenant,
  { audience, headerParams }: ApiOperation,
  token: string | null,
): Promise<Record<string, string>> =>
  audience === 'end-user' && headerParams.includes(ELEVATED_TOKEN_HEADER) ? proofOf(world, token) : {};
