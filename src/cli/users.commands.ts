import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { isUuid } from '../common/ids.js';
import { CodeWaits, DuplicatesRepository, LOST_IN_MERGE, Unmerges } from '../identity/index.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';

/** Undoes the last merge into a user, and says what does not come back. */
export async function usersUnmerge(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['environment', 'user']);
  const { id: environmentId } = await environmentOf(app, options.environment);
  const userId = required(options.user, 'user').toLowerCase();
  if (!isUuid(userId)) throw new UsageError('--user must be the id of the user who remained.');
  const undone = await app
    .get(Unmerges)
    .undo(mintEnvironmentId(environmentId), userId)
    .catch((error: unknown) => {
      throw error instanceof ApiError ? new UsageError(`${error.message} ${error.details.hint ?? ''}`) : error;
    });
  console.log(`user      ${undone.fromUserId} is back, beside ${undone.userId}`);
  for (const lost of LOST_IN_MERGE) console.log(`not back  ${lost}`);
}

/** Shows which users hold the same identifier. */
export async function usersDuplicates(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['environment']);
  const { id: environmentId } = await environmentOf(app, options.environment);
  const duplicates = await app.get(DuplicatesRepository).list(mintEnvironmentId(environmentId));
  for (const { format, identifier, userIds } of duplicates)
    console.log(`${format}  ${identifier}  ${userIds.join(' ')}`);
  console.log(`${duplicates.length} identifiers are held by more than one user.`);
}

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
