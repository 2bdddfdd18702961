import { ELEVATED_SCOPES, ELEVATED_TOKEN_HEADER } from '../../../src/auth/index.js';
import { Clock } from '../../../src/common/clock.js';
import { Elevations } from '../../../src/identity/assurance/elevations.js';
import type { World } from '../world.js';
import type { ApiOperation } from './operations.js';
import type { Tenant } from './tenant.js';

/** The header of a fresh proof for all scopes, given in the session of a token; none for other tokens. */
export async function proofOf(world: World, token: string | null): Promise<Record<string, string>> {
  const claims = token?.split('.')[1];
  if (!claims) return {};
  const { sub, sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; sid: string };
  const elevations = world.test.app.get(Elevations, { strict: false });
  const subject = { userId: sub, sessionId: sid };
  const now = new Date(world.test.app.get(Clock, { strict: false }).timestamp());
  const elevated = await elevations.issue(world.environmentId, subject, ELEVATED_SCOPES.values, now);
  return elevated === null ? {} : { [ELEVATED_TOKEN_HEADER]: elevated };
}

/** The owner's credential accepted by an operation. */
export const ownerToken = ({ world }: Tenant, { needsSession }: ApiOperation): Promise<string> =>
  needsSession ? world.provenSession() : Promise.resolve(world.ownerToken);

/** The header that an end user sends to an operation that requires a fresh proof. */
export const freshProof = async (
  { world }: Tenant,
  { audience, headerParams }: ApiOperation,
  token: string | null,
): Promise<Record<string, string>> =>
  audience === 'end-user' && headerParams.includes(ELEVATED_TOKEN_HEADER) ? proofOf(world, token) : {};
