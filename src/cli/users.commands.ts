import { writeFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { isUuid } from '../common/ids.js';
import { CodeWaits, DuplicateMerges, FactorWaits, PersonExport, Unmerges, type Identifier } from '../identity/index.js';
import { CeremonyLocks } from '../waas/index.js';
import { parseOptions, required, takeFlags, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';
import { inLine, say } from './terminal.js';

/** Undoes the last merge into a user, and prints what cannot be restored. */
export async function usersUnmerge(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['environment', 'user']);
  const { id: environmentId } = await environmentOf(app, options.environment);
  const userId = userIdOf(options.user, 'user');
  const undone = await asUsage(app.get(Unmerges).undo(mintEnvironmentId(environmentId), userId));
  say(`user      ${undone.fromUserId} is restored, separate from ${undone.userId}`);
  for (const lost of undone.lost) say(`not back  ${inLine(lost)}`);
}

/** Lists the identifiers held by more than one user. */
export async function usersDuplicates(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['environment']);
  const { id: environmentId } = await environmentOf(app, options.environment);
  const duplicates = await app.get(DuplicateMerges).list(mintEnvironmentId(environmentId));
  for (const { format, identifier, userIds } of duplicates)
    say(`${format}  ${inLine(identifier)}  ${userIds.join(' ')}`);
  say(`${duplicates.length} identifiers are held by more than one user.`);
}

/** Merges two users who hold the same identifier. Shows what would happen, and does it with `--confirm`. */
export async function usersMerge(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['confirm']);
  const options = parseOptions(rest, ['environment', 'user', 'from', 'keep']);
  const environmentId = mintEnvironmentId((await environmentOf(app, options.environment)).id);
  const pair = { userId: userIdOf(options.user, 'user'), fromUserId: userIdOf(options.from, 'from') };
  const keep = options.keep === undefined ? null : userIdOf(options.keep, 'keep');
  if (keep !== null && !Object.values(pair).includes(keep))
    throw new UsageError('--keep must be one of the two users.');
  const merges = app.get(DuplicateMerges);
  const { shared, proven, conflicts } = await asUsage(merges.preview(environmentId, pair));
  for (const { format, identifier } of shared) say(`shared    ${format}  ${inLine(identifier)}`);
  for (const { userId, credentials } of proven) {
    for (const { format, label, verifiedAt } of credentials)
      say(`proven    ${userId}  ${format}  ${inLine(label)}  ${verifiedAt.toISOString()}`);
    if (credentials.length === 0) say(`proven    ${userId}  nothing`);
  }
  for (const { field, currentUser, fromUser } of conflicts) {
    const kept = keep === null ? '' : `  (the value of ${keep} remains)`;
    // As JSON, so that each conflict stays one line whatever the values are.
    const values = [currentUser, fromUser].map(({ value }) => JSON.stringify(value)).join(' | ');
    say(`conflict  ${field.name}  ${values}${kept}`);
  }
  if (!flags.confirm) {
    say(`Nothing was changed. --confirm merges ${pair.fromUserId} into ${pair.userId}.`);
    return;
  }
  await asUsage(merges.merge(environmentId, pair, keep));
  say(`merged    ${pair.fromUserId} into ${pair.userId}`);
  say('undo      users unmerge, within seven days');
}

/** Exports what is held about a user to a new file that only its owner can read. */
export async function usersExport(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, ['environment', 'user', 'file']);
  const { id: environmentId } = await environmentOf(app, options.environment);
  const userId = userIdOf(options.user, 'user');
  const path = required(options.file, 'file');
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
  say(`written   ${path}`);
  say(`records   ${tables.join(', ')}`);
  if (file.cut.length > 0) say(`cut       more rows exist in ${file.cut.join(', ')}`);
}

/** Lifts the lockouts of one email address or phone number and of its user's second factors. */
export async function usersUnlock(app: INestApplicationContext, words: string[]): Promise<void> {
  const { environment, email, phone, user } = parseOptions(words, ['environment', 'email', 'phone', 'user']);
  const [named, ...others] = namedBy({ email, phone, user });
  if (!named || others.length > 0) throw new UsageError('Name one of --email, --phone and --user.');
  const environmentId = mintEnvironmentId((await environmentOf(app, environment)).id);
  try {
    if (named.kind !== 'id') {
      const contact = named.kind === 'email' ? { email: named.value } : { phone: named.value };
      const isEnded = await app.get(CodeWaits).end(environmentId, contact);
      say(`${named.value}  ${isEnded ? 'unlocked' : 'has never been sent a code here: nothing to unlock'}`);
    }
    const factors = await app.get(FactorWaits).end(environmentId, named);
    say(`second factors  ${unlockedFactors(factors)}`);
    const ceremonies = await app.get(CeremonyLocks).end(environmentId, named);
    if (ceremonies) say(`ceremonies      that were given up count no more: ${ceremonies}`);
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(`${error.message} ${error.details.hint ?? ''}`.trim()) : error;
  }
}

function namedBy({ email, phone, user }: Record<'email' | 'phone' | 'user', string | undefined>): Identifier[] {
  return [
    ...(email === undefined ? [] : [{ kind: 'email', value: email } as const]),
    ...(phone === undefined ? [] : [{ kind: 'phoneNumber', value: phone } as const]),
    ...(user === undefined ? [] : [{ kind: 'id', value: user.toLowerCase() } as const]),
  ];
}

function unlockedFactors(count: number | null): string {
  if (count === null) return 'none: no such user here';
  return count === 0 ? 'no wrong codes: nothing to unlock' : `unlocked: ${count}`;
}

function userIdOf(value: string | undefined, name: string): string {
  const id = required(value, name).toLowerCase();
  if (!isUuid(id)) throw new UsageError(`--${name} must be the id of a user.`);
  return id;
}

/** Turns a refusal by the service into a usage error. */
const asUsage = <T>(done: Promise<T>): Promise<T> =>
  done.catch((error: unknown) => {
    throw error instanceof ApiError ? new UsageError(`${error.message} ${error.details.hint ?? ''}`) : error;
  });
