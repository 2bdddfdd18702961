import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId, TenantDirectory } from '../auth/index.js';
import { SigningKeys } from '../environments/index.js';
import { parseOptions, required, UsageError } from './arguments.js';

export async function signingKeysRotate(app: INestApplicationContext, words: string[]): Promise<void> {
  const id = required(parseOptions(words, ['environment']).environment, 'environment');
  const environment = await app.get(TenantDirectory).findEnvironment(id);
  if (!environment) throw new UsageError(`There is no environment ${id}.`);
  const { step, keyId, usableAt } = await app.get(SigningKeys).rotate(mintEnvironmentId(environment.id));
  console.log(`${step}  ${keyId}${usableAt ? `  usable from ${usableAt.toISOString()}` : ''}`);
}
