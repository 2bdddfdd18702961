import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { SigningKeys } from '../environments/index.js';
import { parseOptions, takeFlags } from './arguments.js';
import { environmentOf } from './environments.js';
import { say } from './terminal.js';

export async function signingKeysRotate(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['now']);
  const environment = await environmentOf(app, parseOptions(rest, ['environment']).environment);
  const { step, keyId, usableAt } = await (flags.now
    ? app.get(SigningKeys).replaceNow(mintEnvironmentId(environment.id))
    : app.get(SigningKeys).rotate(mintEnvironmentId(environment.id)));
  say(`${step}  ${keyId}${usableAt ? `  usable from ${usableAt.toISOString()}` : ''}`);
}
