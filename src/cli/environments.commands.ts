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
import { say } from './terminal.js';

/** Generates the key pair that an archive's secrets are encrypted to. Only the file's owner can read the private key. */
export async function environmentsNewKey(words: string[]): Promise<void> {
  const { to } = parseOptions(words, ['to']);
  const path = required(to, 'to');
  const { publicKey, secret } = await newOperatorKey();
  await writeFile(path, `${secret}\n`, { flag: 'wx', mode: 0o600 }).catch(() => {
    throw new UsageError(`${path} cannot be written, or is there already.`);
  });
  say(publicKey);
}

/** Lists what stays behind, then exports the rest to one file. */
export async function environmentsExport(app: INestApplicationContext, words: string[]): Promise<void> {
  const { first, flags, rest } = split(words, ['plan']);
  const options = parseOptions(rest, ['to', 'key']);
  const { id, kind } = await environmentOf(app, first);
  if (kind === 'console') throw new UsageError('The console environment belongs to its installation and stays there.');
  const environmentId = mintEnvironmentId(id);
  const survey = await app.get(EnvironmentSurvey).of(environmentId);
  for (const { table, rows } of survey.moving) if (rows > 0) say(`moves   ${rows}  ${table}`);
  for (const { table, rows, reason } of survey.staying) say(`stays   ${rows}  ${table}: ${reason}`);
  if (flags.plan) return;
  const path = required(options.to, 'to');
  const publicKey = await refusals(() => parseOperatorPublicKey(required(options.key, 'key')));
  boundHeap();
  const databaseUrl = app.get(Config).get('DATABASE_URL') ?? '';
  // With two concurrent exports to the same file, the second finds the file of the first.
  const { digest, rows } = await whileAlone(databaseUrl, `export to ${resolve(path)}`, async () => {
    if (await isThere(path)) throw new UsageError(`${path} is there already.`);
    await app.get(UnitOfWork).run(async (tx) => note(app, environmentId, 'environment.exported', tx));
    return app.get(EnvironmentExport).write(environmentId, path, publicKey);
  }).catch((error: unknown) => {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new UsageError(`${path} cannot be written: ${code}.`);
  });
  say(`written ${rows} rows to ${path}`);
  say(`digest  ${digest}`);
}

/** Verifies the whole file before anything is written; can be interrupted and rerun. */
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
      throw new MovingRefusedError(`The digest of the archive is ${archive.digest}, not the expected one.`);
    }
    const secret = parseOperatorSecret(await secretText(required(key, 'key')));
    say(`archive   ${archive.digest}, complete, environment ${environmentId}`);
    // The import is complete: only the owner is still to be added.
    if (owner !== null && (await app.get(EnvironmentImport).isDone(archive, environmentId))) {
      return adoptOrganization(app, environmentId, owner);
    }
    const result = await app.get(EnvironmentImport).run(archive, environmentId, secret, {
      onMember: (name, { done, members }) => {
        if (done % 20 === 0 || done === members) say(`written   ${done} of ${members}  ${name}`);
      },
      onFinish: (tx) => note(app, environmentId, 'environment.imported', tx),
    });
    secret.fill(0);
    if (result.resumedAt > 0) say(`resumed   after ${result.resumedAt} of ${archive.members.length}`);
    say(`imported  ${result.rows} rows; webhooks stay disabled until their receivers have the new secrets`);
    if (owner !== null) await adoptOrganization(app, environmentId, owner);
  });
}

async function discard(app: INestApplicationContext, environmentId: EnvironmentId): Promise<void> {
  if (!(await app.get(EnvironmentImport).discard(environmentId))) {
    throw new UsageError('No import of this environment is in progress.');
  }
  say('discarded  imported rows are removed in the background');
}

/** The actor is the service: the operator of the machine has no account that the audit trail could name. */
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
