import { access, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { Config } from '../config/index.js';
import { UnitOfWork, whileAlone, type EnvironmentId, type Transaction } from '../database/index.js';
import {
  ArchiveReader,
  EnvironmentExport,
  EnvironmentImport,
  EnvironmentSurvey,
  MovingRefusedError,
  newOperatorKey,
  parseOperatorPublicKey,
  parseOperatorSecret,
} from '../moving/index.js';
import { ChangeLog, SERVICE } from '../organizations/index.js';
import { boundHeap } from '../patches/index.js';
import { parseOptions, required, takeFlags, UsageError } from './arguments.js';
import { environmentOf } from './environments.js';
import { adoptOrganization, emailOf } from './members.commands.js';

/** Makes the key pair that secrets of an archive are sealed to. The secret is written to a file for its owner alone. */
export async function environmentsNewKey(words: string[]): Promise<void> {
  const { to } = parseOptions(words, ['to']);
  const path = required(to, 'to');
  const { publicKey, secret } = await newOperatorKey();
  await writeFile(path, `${secret}\n`, { flag: 'wx', mode: 0o600 }).catch(() => {
    throw new UsageError(`${path} cannot be written, or is there already.`);
  });
  console.log(publicKey);
}

/** Says what stays behind, and then writes the rest into one file. */
export async function environmentsExport(app: INestApplicationContext, words: string[]): Promise<void> {
  const { first, flags, rest } = split(words, ['plan']);
  const options = parseOptions(rest, ['to', 'key']);
  const { id, kind } = await environmentOf(app, first);
  if (kind === 'console') throw new UsageError('The console environment belongs to its installation and stays there.');
  const environmentId = mintEnvironmentId(id);
  const survey = await app.get(EnvironmentSurvey).of(environmentId);
  for (const { table, rows } of survey.moving) if (rows > 0) console.log(`moves   ${rows}  ${table}`);
  for (const { table, rows, reason } of survey.staying) console.log(`stays   ${rows}  ${table}: ${reason}`);
  if (flags.plan) return;
  const path = required(options.to, 'to');
  const publicKey = await refusals(() => parseOperatorPublicKey(required(options.key, 'key')));
  boundHeap();
  const databaseUrl = app.get(Config).get('DATABASE_URL') ?? '';
  // Of two at once into one file the second finds the file of the first.
  const { digest, rows } = await whileAlone(databaseUrl, `export to ${resolve(path)}`, async () => {
    if (await isThere(path)) throw new UsageError(`${path} is there already.`);
    await app.get(UnitOfWork).run(async (tx) => note(app, environmentId, 'environment.exported', tx));
    return app.get(EnvironmentExport).write(environmentId, path, publicKey);
  }).catch((error: unknown) => {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new UsageError(`${path} cannot be written: ${code}.`);
  });
  console.log(`written ${rows} rows to ${path}`);
  console.log(`digest  ${digest}`);
}

/** Reads a file to its end before anything of it is written; may be interrupted and run again. */
export async function environmentsImport(app: INestApplicationContext, words: string[]): Promise<void> {
  const { first, flags, rest } = split(words, ['discard']);
  const { key, digest: expected, owner: named } = parseOptions(rest, ['key', 'digest', 'owner']);
  const path = required(first, 'file');
  const owner = named === undefined ? null : emailOf(named, 'owner');
  boundHeap();
  await refusals(async () => {
    const archive = await app.get(ArchiveReader).verify(path);
    const environmentId = mintEnvironmentId(archive.head.environmentId);
    if (flags.discard) return discard(app, environmentId);
    if (expected !== undefined && expected.toLowerCase() !== archive.digest) {
      throw new MovingRefusedError(`The archive is not the one with this digest, but ${archive.digest}.`);
    }
    const secret = parseOperatorSecret(await secretText(required(key, 'key')));
    console.log(`archive   ${archive.digest}, whole, of environment ${environmentId}`);
    // Only the owner was missing when it was interrupted, or is wanted now.
    if (owner !== null && (await app.get(EnvironmentImport).isDone(archive, environmentId))) {
      return adoptOrganization(app, environmentId, owner);
    }
    const result = await app.get(EnvironmentImport).run(archive, environmentId, secret, {
      onMember: (name, { done, members }) => {
        if (done % 20 === 0 || done === members) console.log(`written   ${done} of ${members}  ${name}`);
      },
      onFinish: (tx) => note(app, environmentId, 'environment.imported', tx),
    });
    secret.fill(0);
    if (result.resumedAt > 0) console.log(`resumed   behind ${result.resumedAt} of ${archive.members.length}`);
    console.log(`imported  ${result.rows} rows; webhooks are switched off until their receivers know the new secrets`);
    if (owner !== null) await adoptOrganization(app, environmentId, owner);
  });
}

async function discard(app: INestApplicationContext, environmentId: EnvironmentId): Promise<void> {
  if (!(await app.get(EnvironmentImport).discard(environmentId))) {
    throw new UsageError('No import of this environment is under way.');
  }
  console.log('given up  what was written is removed in the background');
}

/** Who holds the machine did it: the trail says that it was done, and when. */
function note(app: INestApplicationContext, environmentId: EnvironmentId, action: string, tx: Transaction): void {
  const about = { actor: SERVICE, action, resource: { type: 'environment', id: environmentId } };
  app.get(ChangeLog).note({ scope: { environmentId }, ...about }, tx);
}

const split = <const N extends string>(words: readonly string[], names: readonly N[]) => {
  const [first, ...others] = words;
  if (first?.startsWith('--')) throw new UsageError('Name the environment or the file first.');
  return { first, ...takeFlags(others, names) };
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const secretText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError('--key must be a file that can be read.');
  });

async function refusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof MovingRefusedError ? new UsageError(error.message) : error;
  }
}
