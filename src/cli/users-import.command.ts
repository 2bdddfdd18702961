import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { UsersImport, type ImportedUser } from '../identity/index.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { readEntryFile, type FileLine } from './entry-file.js';
import { environmentOf } from './environments.js';
import { jsonObjects } from './json-users.js';
import { complain, say } from './terminal.js';

/** Users written concurrently. */
const AT_ONCE = 8;
/** Users between two progress reports. */
const OF_A_REPORT = 1_000;

interface Report {
  problem(line: number, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Imports users independently of each other: a refused user does not stop the rest. */
export async function usersImport(app: INestApplicationContext, words: string[]): Promise<void> {
  const [path, ...rest] = words;
  if (!path || path.startsWith('--')) throw new UsageError('Name the file first.');
  const options = parseOptions(rest, ['environment', 'report']);
  const { id } = await environmentOf(app, required(options.environment, 'environment'));
  const environmentId = mintEnvironmentId(id);
  const users = app.get(UsersImport);
  const sums = { added: 0, present: 0, refused: 0 };
  const left = new Map<string, number>();
  /** Where each user stood first: another row that comes to the same user brings nothing. */
  const rows = new Map<string, number>();
  const report = await openReport(options.report);
  const take = async ({ line, value }: FileLine): Promise<[number, ImportedUser]> => [
    line,
    await users.add(environmentId, value),
  ];
  const count = async (batch: readonly FileLine[]): Promise<void> => {
    const taken = await Promise.all(batch.map(take));
    // Of rows of a batch that are one user any may have been the first.
    for (const [line, user] of taken) if (user.outcome === 'added') rows.set(user.userId, line);
    for (const [line, user] of taken) {
      sums[user.outcome]++;
      if (user.outcome === 'refused') await report.problem(line, user.problem);
      if (user.outcome === 'present') {
        const first = rows.get(user.userId);
        if (first === undefined) rows.set(user.userId, line);
        else await report.problem(line, `is the same user as ${first} and was left out`);
      }
      if (user.outcome !== 'added') continue;
      for (const provider of user.leftAccounts) left.set(provider, (left.get(provider) ?? 0) + 1);
    }
    const done = sums.added + sums.present + sums.refused;
    if (done % OF_A_REPORT < batch.length)
      complain(`… ${sums.added} added, ${sums.present} already present, ${sums.refused} refused`);
  };
  try {
    let batch: FileLine[] = [];
    for await (const line of usersOf(path)) {
      batch.push(line);
      if (batch.length < AT_ONCE) continue;
      await count(batch);
      batch = [];
    }
    await count(batch);
  } finally {
    await report.close();
  }
  for (const [provider, accounts] of left)
    complain(`left out: ${accounts} accounts of ${provider}, an unknown provider`);
  say(`${sums.added} added, ${sums.present} already present, ${sums.refused} refused`);
}

async function openReport(path: string | undefined): Promise<Report> {
  if (path === undefined) {
    const problem = async (line: number, text: string): Promise<void> => complain(`user ${line}: ${text}`);
    return { problem, close: async () => undefined };
  }
  const file = await open(path, 'wx', 0o600).catch(() => {
    throw new UsageError(`${path} cannot be written, or is there already.`);
  });
  return {
    problem: async (line, problem) => void (await file.write(`${JSON.stringify({ user: line, problem })}\n`)),
    close: () => file.close(),
  };
}

/** Reads CSV if the name ends in `.csv`, else JSON. `line` is the line in CSV and the position, from 1, in JSON. */
async function* usersOf(path: string): AsyncGenerator<FileLine> {
  if (path.toLowerCase().endsWith('.csv')) {
    yield* readEntryFile(path);
    return;
  }
  let line = 0;
  try {
    for await (const value of jsonObjects(createReadStream(path, 'utf8'))) yield { line: ++line, value };
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(`${path} cannot be read after user ${line}: ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES'
      ? new UsageError(`${path} cannot be read: ${code}.`)
      : error;
  }
}
