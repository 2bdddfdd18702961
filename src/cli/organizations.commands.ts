import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../config/index.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { provision } from '../provisioning/index.js';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export async function organizationsCreate(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['name', 'owner', 'project']);
  const organization = required(options.name, 'name');
  const ownerEmail = required(options.owner, 'owner');
  if (!EMAIL.test(ownerEmail)) throw new UsageError(`--owner must be an email address (seen: ${ownerEmail}).`);
  const made = await provision(app, { organization, ownerEmail, project: options.project ?? 'Default' });
  const api = `${app.get(Config).publicUrl}/api/v0`;
  console.log(
    [
      `organization  ${made.organizationId}`,
      `project       ${made.projectId}`,
      `sandbox       ${made.environments.sandbox}`,
      `live          ${made.environments.live}`,
      '',
      `${ownerEmail} signs in with a code by email, at the console environment:`,
      `  POST ${api}/sdk/${made.consoleEnvironmentId}/emailVerifications/create`,
      `  POST ${api}/sdk/${made.consoleEnvironmentId}/emailVerifications/signin`,
    ].join('\n'),
  );
}
