import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '../../common/errors/index.js';
import { validationPipe } from '../../common/http/validation.pipe.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { AllowlistEntriesRepository, type NewEntry } from './allowlist-entries.repository.js';
import { PostAllowlistEntriesRequest } from './allowlist-entry.dto.js';
import { allowlistFull } from './allowlist.errors.js';
import { ENTRIES_IMPORTED } from './allowlist.events.js';
import { AllowlistsRepository } from './allowlists.repository.js';
import { aliasKey, readEntry } from './entry-keys.js';

/** Entries per transaction. */
export const IMPORT_BATCH = 500;

/** An entry as read from a file. */
export interface ImportedLine {
  /** For the report: the line number in the file, or the index of the item. */
  line: number;
  value: unknown;
}

export interface RefusedLine {
  line: number;
  problem: string;
}

interface ReadLine {
  line: number;
  entry: NewEntry;
  /** The keys that must be unique; an alias, which grants no access, may be repeated. */
  decisive: string[];
}

/** Bulk import into an allowlist. Duplicates within the file, or of existing entries, are rejected line by line. */
@Injectable()
export class AllowlistImport {
  private readonly pipe = validationPipe();

  constructor(
    private readonly entries: AllowlistEntriesRepository,
    private readonly lists: AllowlistsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws notFound when the environment has no such list */
  async assertThere(environmentId: EnvironmentId, allowlistId: string): Promise<void> {
    if (!(await this.lists.find(environmentId, { id: allowlistId }))) throw notFound();
  }

  /** Adds a batch in one transaction. @throws notFound, allowlistFull, in which case nothing of the batch is added */
  async add(
    environmentId: EnvironmentId,
    allowlistId: string,
    batch: readonly ImportedLine[],
  ): Promise<{ added: number; refused: RefusedLine[] }> {
    const refused: RefusedLine[] = [];
    const read = new Map<number, ReadLine>();
    const seen = new Set<string>();
    for (const { line, value } of batch) {
      const result = await this.read(line, value, allowlistId);
      if ('problem' in result) refused.push(result);
      else if (result.decisive.some((key) => seen.has(key))) refused.push({ line, problem: 'is in the file already' });
      else {
        for (const key of result.decisive) seen.add(key);
        read.set(line, result);
      }
    }
    const taken = await this.insert(environmentId, allowlistId, [...read.values()]);
    refused.push(...taken.map((line) => ({ line, problem: 'is on the list already' })));
    return { added: read.size - taken.length, refused: refused.sort((a, b) => a.line - b.line) };
  }

  private async read(line: number, value: unknown, allowlistId: string): Promise<ReadLine | RefusedLine> {
    try {
      const metatype = PostAllowlistEntriesRequest;
      const request = (await this.pipe.transform(value, { type: 'body', metatype })) as PostAllowlistEntriesRequest;
      const { problems, ...entry } = { problems: undefined, ...readEntry(request) };
      if (problems || !('keys' in entry)) return { line, problem: (problems ?? []).join('; ') };
      const id = newId();
      const { alias } = entry.fields;
      const keys = [...entry.keys, ...(alias === undefined ? [] : [aliasKey(alias, id)])];
      const fields = entry.fields as Record<string, string | number>;
      return { line, entry: { id, allowlistId, fields, keys }, decisive: entry.keys };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { fields = [] } = (error.details.payload ?? {}) as { fields?: { message: string }[] };
      return { line, problem: fields.map(({ message }) => message).join('; ') || error.message };
    }
  }

  /** The list is locked, so nothing else is added meanwhile. @returns the lines that were already listed */
  private insert(environmentId: EnvironmentId, allowlistId: string, read: ReadLine[]): Promise<number[]> {
    return this.work.run(async (tx) => {
      const list = await this.lists.hold(environmentId, allowlistId, tx);
      if (!list) throw notFound();
      const keys = read.flatMap(({ decisive }) => decisive);
      const known = await this.entries.knownKeys(environmentId, allowlistId, keys, tx);
      const fresh = read.filter(({ decisive }) => !decisive.some((key) => known.has(key)));
      if (fresh.length > 0) {
        const added = fresh.map(({ entry }) => entry);
        await this.entries.addMany(environmentId, allowlistId, added, tx);
        if (!(await this.lists.count(environmentId, allowlistId, added.length, tx))) throw allowlistFull();
        const after = { id: allowlistId, name: list.name, added: added.length };
        const resource = { type: 'allowlist', id: allowlistId };
        const change = { event: ENTRIES_IMPORTED, resource, before: null, after };
        await this.changes.record({ scope: { environmentId }, actor: SERVICE, ...change }, tx);
      }
      return read.filter((each) => !fresh.includes(each)).map(({ line }) => line);
    });
  }
}
