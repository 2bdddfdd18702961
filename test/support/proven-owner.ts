import type { ElevatedScope } from '../../src/auth/index.js';
import type { World } from './world.js';

/** A console session of the owner, and the recent proof that it began with. */
export async function provenOwner(
  world: World,
  ...requestedScopes: ElevatedScope[]
): Promise<{ token: string; elevated: string; sessionId: string }> {
  const { consoleEnvironmentId } = world.ids;
  const verificationUUID = await world.sendCode(world.ownerEmail, consoleEnvironmentId);
  const { body } = await world.anonymous.post<{
    jwt: string;
    elevatedAccessToken: string;
    user: { sessionId: string };
  }>(
    world.sdk('/emailVerifications/signin', consoleEnvironmentId),
    { verificationUUID, verificationToken: world.code(world.ownerEmail), requestedScopes },
    { expect: 200 },
  );
  return { token: body.jwt, elevated: body.elevatedAccessToken, sessionId: body.user.sessionId };
}
