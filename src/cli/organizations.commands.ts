import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, TenantDirectory } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { isVisible } from '../common/visible-text.js';
import { Config } from '../config/index.js';
import { UserIdentities } from '../identity/index.js';
import { organizationNameAlreadyExists, OrganizationsService } from '../organizations/index.js';
import { provision } from '../provisioning/index.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { emailOf, printLink } from './members.commands.js';
import { say } from './terminal.js';

/** The limit of the API for organizations and projects. */
const NAME_LENGTH = 255;

export async function organizationsCreate(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['name', 'owner', 'project']);
  const organization = nameOf(required(options.name, 'name'), 'name');
  const project = nameOf(options.project ?? 'Default', 'project');
  const ownerEmail = emailOf(required(options.owner, 'owner'), 'owner');
  const made = await provision(app, { organization, ownerEmail, project }).catch(async (error: unknown) => {
    const isKnown = error instanceof ApiError && error.code === organizationNameAlreadyExists.definition.code;
    throw (isKnown && (await madeBefore(app, organization, ownerEmail))) || error;
  });
  const api = `${app.get(Config).publicUrl}/api/v0`;
  say(
    [
      `organization  ${made.organizationId}`,
      `project       ${made.projectId}`,
      `sandbox       ${made.environments.sandbox}`,
      `live          ${made.environments.live}`,
      '',
    ].join('\n'),
  );
  await printLink(app, { ...made, userId: made.ownerUserId, email: ownerEmail });
  say(
    [
      '',
      `Once SMTP_URL is set, ${ownerEmail} can sign in to the console environment with a code sent by email:`,
      `  POST ${api}/sdk/${made.consoleEnvironmentId}/emailVerifications/create`,
      `  POST ${api}/sdk/${made.consoleEnvironmentId}/emailVerifications/signin`,
    ].join('\n'),
  );
}

/** If a previous run was interrupted before it printed the link, the operator needs the id to get another one. */
async function madeBefore(app: INestApplicationContext, name: string, email: string): Promise<UsageError | null> {
  const consoleId = mintEnvironmentId(await app.get(TenantDirectory).consoleEnvironmentId());
  const userId = await app.get(UserIdentities).expect(consoleId, { kind: 'email', value: email });
  const { organizations } = userId ? await app.get(OrganizationsService).listOf(userId) : { organizations: [] };
  const known = organizations.find((one) => one.name === name);
  if (!known) return null;
  return new UsageError(
    `${email} already belongs to an organization with this name, ${known.id}. Choose another --name, or print a link for it: members link --organization ${known.id} --email ${email}`,
  );
}

/** @throws UsageError */
function nameOf(text: string, option: string): string {
  if (text.length > NAME_LENGTH) throw new UsageError(`--${option} must have at most ${NAME_LENGTH} characters.`);
  if (!isVisible(text)) throw new UsageError(`--${option} must contain a visible character.`);
  return text;
}
