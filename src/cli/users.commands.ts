import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { CodeWaits } from '../identity/index.js';
import { parseOptions, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';

/** Ends the waits of one address or number, however many wrong codes there were. */
export async function usersUnlock(app: INestApplicationContext, words: string[]): Promise<void> {
  const { environment: id, email, phone } = parseOptions(words, ['environment', 'email', 'phone']);
  if ((email === undefined) === (phone === undefined)) throw new UsageError('Name one of --email and --phone.');
  const environment = await environmentOf(app, id);
  const contact = email === undefined ? { phone: phone! } : { email };
  const isEnded = await app
    .get(CodeWaits)
    .end(mintEnvironmentId(environment.id), contact)
    .catch((error: unknown) => {
      throw error instanceof ApiError ? new UsageError(error.message) : error;
    });
  console.log(`${email ?? phone}  ${isEnded ? 'unlocked' : 'has never been sent a code here: nothing to unlock'}`);
}
