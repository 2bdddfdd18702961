import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../config/index.js';
import { parseOptions, required } from './arguments.js';
import { emailOf, printLink } from './members.commands.js';
import { provision } from '../provisioning/index.js';

export async function organizationsCreate(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['name', 'owner', 'project']);
  const organization = required(options.name, 'name');
  const ownerEmail = emailOf(required(options.owner, 'owner'), 'owner');
  const made = await provision(app, { organization, ownerEmail, project: options.project ?? 'Default' });
  const api = `${app.get(Config).publicUrl}/api/v0`;
  console.log(
    [
      `organization  ${made.organizationId}`,
      `project       ${made.projectId}`,
      `sandbox       ${made.environments.sandbox}`,
      `live          ${made.environments.live}`,
      '',
    ].join('\n'),
  );
  await printLink(app, { ...made, userId: made.ownerUserId, email: ownerEmail });
  console.log(
    [
      '',
      `Once SMTP_URL is set, ${ownerEmail} signs in with a code by email, at the console environment:`,
      `  POST ${api}/sdk/${made.consoleEnvironmentId}/emailVerifications/create`,
      `  POST ${api}/sdk/${made.consoleEnvironmentId}/emailVerifications/signin`,
    ].join('\n'),
  );
}
