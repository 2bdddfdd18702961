import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, TenantDirectory } from '../auth/index.js';
import { SigningKeys } from '../environments/index.js';
import { parseOptions, required, takeFlags, UsageError } from './arguments.js';

export async function signingKeysRotate(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['now']);
  const id = required(parseOptions(rest, ['environment']).environment, 'environment');
  const environment = await app.get(TenantDirectory).findEnvironment(id);
  if (!environment) throw new UsageError(`There is no environment ${id}.`);
  const { step, keyId, usableAt } = await (flags.now
    ? app.get(SigningKeys).replaceNow(mintEnvironmentId(environment.id))
    : app.get(SigningKeys).rotate(mintEnvironmentId(environment.id)));
  console.log(`${step}  ${keyId}${usableAt ? `  usable from ${usableAt.toISOString()}` : ''}`);
}
