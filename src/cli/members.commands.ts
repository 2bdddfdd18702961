import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, mintOrganizationId, TenantDirectory } from '../auth/index.js';
import { isUuid } from '../common/ids.js';
import { UnitOfWork, type EnvironmentId } from '../database/index.js';
import { SignInLinks, UserIdentities, normaliseEmail, type LinkedMember } from '../identity/index.js';
import { Memberships, SERVICE } from '../organizations/index.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { say } from './terminal.js';

/** Prints a single-use sign-in link for a member who cannot be sent a code. */
export async function membersLink(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['organization', 'email']);
  const organization = required(options.organization, 'organization').toLowerCase();
  const email = emailOf(required(options.email, 'email'), 'email');
  if (!isUuid(organization)) throw new UsageError('--organization must be the id of an organization.');
  const directory = app.get(TenantDirectory);
  const consoleId = mintEnvironmentId(await directory.consoleEnvironmentId());
  const userId = await app.get(UserIdentities).expect(consoleId, { kind: 'email', value: email });
  if (userId === null || (await directory.findMembership(userId, organization)) === null) {
    throw new UsageError(`${email} is not a member of this organization.`);
  }
  await printLink(app, { organizationId: mintOrganizationId(organization), userId, email });
}

/**
 * Appoints an owner for the organization of an environment that was imported without members, and prints a sign-in link.
 * Idempotent, except that each call prints a new link: an interrupted call can be repeated.
 */
export async function adoptOrganization(
  app: INestApplicationContext,
  environmentId: EnvironmentId,
  email: string,
): Promise<void> {
  const directory = app.get(TenantDirectory);
  const id = (await directory.findEnvironment(environmentId))?.organizationId;
  if (!id) throw new UsageError(`Environment ${environmentId} no longer exists.`);
  const consoleId = mintEnvironmentId(await directory.consoleEnvironmentId());
  const organizationId = mintOrganizationId(id);
  const identifier = { kind: 'email', value: email } as const;
  const draft = { proven: false, draft: { email } };
  const userId = await app.get(UnitOfWork).run(async (tx) => {
    const owner = await app.get(UserIdentities).ensure(consoleId, identifier, draft, tx);
    const isOwner = (await directory.findMembership(owner.userId, id))?.role === 'owner';
    if (isOwner || (await app.get(Memberships).adopt(organizationId, owner.userId, SERVICE, tx))) return owner.userId;
    throw new UsageError(
      'The organization of the environment already has an owner, who can invite others. Nobody was added.',
    );
  });
  await printLink(app, { organizationId, userId, email });
}

/** @throws UsageError */
export function emailOf(text: string, option: string): string {
  const email = normaliseEmail(text)?.normal;
  if (!email) throw new UsageError(`--${option} must be an email address (seen: ${text}).`);
  return email;
}

/** Prints a new sign-in link, which is stored nowhere. */
export async function printLink(app: INestApplicationContext, member: LinkedMember): Promise<void> {
  const { url, expiresAt } = await app.get(SignInLinks).create(member);
  say(`link          ${url}`);
  say(`              single-use, signs ${member.email} in, expires ${expiresAt.toISOString()}`);
}
