import { writeFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { isUuid } from '../common/ids.js';
import { CodeWaits, DuplicatesRepository, LOST_IN_MERGE, PersonExport, Unmerges } from '../identity/index.js';
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

/** Writes what is held about a person into a file that only its maker can read, and that does not exist yet. */
export async function usersExport(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['environment', 'user', 'file']);
  const { id: environmentId } = await environmentOf(app, options.environment);
  const userId = required(options.user, 'user').toLowerCase();
  const path = required(options.file, 'file');
  if (!isUuid(userId)) throw new UsageError('--user must be the id of a user.');
  const file = await app
    .get(PersonExport)
    .read(mintEnvironmentId(environmentId), userId)
    .catch((error: unknown) => {
      throw error instanceof ApiError ? new UsageError('There is no such user in this environment.') : error;
    });
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch(() => {
    throw new UsageError(`${path} cannot be written, or is there already.`);
  });
  const tables = Object.entries(file.records).map(([table, rows]) => `${rows.length} of ${table}`);
  console.log(`written   ${path}`);
  console.log(`records   ${tables.join(', ')}`);
  if (file.cut.length > 0) console.log(`cut       there is more of ${file.cut.join(', ')}`);
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
