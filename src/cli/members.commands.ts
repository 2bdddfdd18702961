import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, mintOrganizationId, TenantDirectory } from '../auth/index.js';
import { isUuid } from '../common/ids.js';
import { SignInLinks, UserIdentities, normaliseEmail, type LinkedMember } from '../identity/index.js';
import { parseOptions, required, UsageError } from './arguments.js';

/** A member who cannot be sent a code gets in by a link, once. */
export async function membersLink(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['organization', 'email']);
  const organization = required(options.organization, 'organization').toLowerCase();
  const email = normaliseEmail(required(options.email, 'email'))?.normal;
  if (!email) throw new UsageError(`--email must be an email address (seen: ${options.email}).`);
  if (!isUuid(organization)) throw new UsageError('--organization must be the id of an organization.');
  const directory = app.get(TenantDirectory);
  const consoleId = mintEnvironmentId(await directory.consoleEnvironmentId());
  const userId = await app.get(UserIdentities).expect(consoleId, { kind: 'email', value: email });
  if (userId === null || (await directory.findMembership(userId, organization)) === null) {
    throw new UsageError(`${email} is no member of this organization.`);
  }
  await printLink(app, { organizationId: mintOrganizationId(organization), userId, email });
}

/** Printed once, stored nowhere. */
export async function printLink(app: INestApplicationContext, member: LinkedMember): Promise<void> {
  const { url, expiresAt } = await app.get(SignInLinks).create(member);
  console.log(`link          ${url}`);
  console.log(`              signs ${member.email} in, once, until ${expiresAt.toISOString()}`);
}
