import { createReadStream } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { SanctionsFileError, SanctionsImport } from '../access-control/index.js';
import { parseOptions, required, takeFlags, UsageError } from './arguments.js';
import { say } from './terminal.js';

/** Puts a published sanctions list into force; instances use it within seconds. */
export async function screeningImport(app: INestApplicationContext, words: string[]): Promise<void> {
  const { flags, rest } = takeFlags(words, ['smaller']);
  const file = required(parseOptions(rest, ['file']).file, 'file');
  const text = createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 }) as AsyncIterable<string>;
  try {
    const { publishedOn, count, before, currencies, isNew } = await app
      .get(SanctionsImport)
      .import(text, flags.smaller);
    const kinds = Object.entries(currencies).map(([currency, number]) => `${currency} ${number}`);
    const sign = `${count} addresses${publishedOn ? `, published on ${publishedOn}` : ''} (${kinds.join(', ')})`;
    say(isNew ? `${sign}; previously ${before ?? 'none'}` : `${sign}: this list is already in force`);
  } catch (error) {
    throw asUsageError(file, error);
  }
}

function asUsageError(file: string, error: unknown): unknown {
  if (error instanceof SanctionsFileError) return new UsageError(`${file} was not imported: ${error.message}.`);
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES'
    ? new UsageError(`${file} cannot be read: ${code}.`)
    : error;
}
