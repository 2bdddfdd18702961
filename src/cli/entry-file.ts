import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse, CsvError } from 'csv-parse';
import { UsageError } from './arguments.js';

export interface FileLine {
  line: number;
  value: unknown;
}

/** Fields that are numbers in the API; CSV has only strings. */
const NUMBERS = new Set(['frameappFid']);

/** The objects of a JSON list, or the lines of a CSV file whose first line names the fields. @throws UsageError */
export async function* readEntryFile(path: string): AsyncGenerator<FileLine> {
  try {
    yield* path.toLowerCase().endsWith('.json') ? fromJson(path) : fromCsv(path);
  } catch (error) {
    if (error instanceof CsvError || error instanceof SyntaxError) {
      throw new UsageError(`${path} cannot be read: ${error.message}`);
    }
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES'
      ? new UsageError(`${path} cannot be read: ${code}.`)
      : error;
  }
}

async function* fromJson(path: string): AsyncGenerator<FileLine> {
  const items: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  if (!Array.isArray(items)) throw new UsageError(`${path} must hold a list of objects.`);
  for (const [at, value] of items.entries()) yield { line: at + 1, value };
}

async function* fromCsv(path: string): AsyncGenerator<FileLine> {
  const lines = parse({
    bom: true,
    columns: true,
    trim: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: 65_536,
  });
  // pipe() does not forward errors of its source.
  createReadStream(path)
    .on('error', (error) => lines.destroy(error))
    .pipe(lines);
  for await (const { record, info } of lines as AsyncIterable<{
    record: Record<string, string>;
    info: { lines: number };
  }>) {
    const given = Object.entries(record).filter(([, text]) => text !== '');
    yield { line: info.lines, value: Object.fromEntries(given.map(([name, text]) => [name, valueOf(name, text)])) };
  }
}

const valueOf = (name: string, text: string): unknown =>
  NUMBERS.has(name) && /^\d{1,16}$/.test(text) ? Number(text) : text;
