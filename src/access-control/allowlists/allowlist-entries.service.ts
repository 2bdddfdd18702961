import { Injectable } from '@nestjs/common';
import { notFound, validationFailed } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, violatedConstraint, type EnvironmentId, type Work } from '../../database/index.js';
import { ChangeLog, hinted, type Actor } from '../../organizations/index.js';
import {
  DEFAULT_PAGE,
  type AllowlistEntriesResponse,
  type AllowlistEntry,
  type ListEntriesQuery,
  type PostAllowlistEntriesRequest,
} from './allowlist-entry.dto.js';
import { ENTRY_KEY, type AllowlistEntryRow } from './allowlist.entity.js';
import { allowlistEntryAlreadyExists, allowlistFull, invalidAllowlistEntry } from './allowlist.errors.js';
import { ENTRY_CREATED, ENTRY_DELETED } from './allowlist.events.js';
import { AllowlistEntriesRepository } from './allowlist-entries.repository.js';
import { AllowlistsRepository } from './allowlists.repository.js';
import { aliasKey, readEntry, searchPrefixes } from './entry-keys.js';

const ORDERS = { 'createdAt-asc': 'asc', 'createdAt-desc': 'desc' } as const;

/** The entries of an allowlist. */
@Injectable()
export class AllowlistEntriesService {
  constructor(
    private readonly entries: AllowlistEntriesRepository,
    private readonly lists: AllowlistsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws notFound, validationFailed for an unknown sort order */
  async list(
    environmentId: EnvironmentId,
    allowlistId: string,
    query: ListEntriesQuery,
  ): Promise<AllowlistEntriesResponse> {
    const list = await this.lists.find(environmentId, { id: allowlistId });
    if (!list) throw notFound();
    const { offset = 0, limit = DEFAULT_PAGE } = query;
    const direction = directionOf(query.orderBy ?? 'createdAt-asc');
    if (query.query === undefined || query.query.trim() === '') {
      const rows = await this.entries.page(environmentId, allowlistId, { direction, offset, limit });
      return { count: list.entryCount, entries: rows.map(shown) };
    }
    const found = await this.entries.search(environmentId, allowlistId, searchPrefixes(query.query));
    const ordered = direction === 'asc' ? found : found.reverse();
    const ids = ordered.slice(offset, offset + limit);
    const rows = new Map((await this.entries.byIds(environmentId, ids)).map((row) => [row.id, row]));
    return { count: found.length, entries: ids.flatMap((id) => rows.get(id) ?? []).map(shown) };
  }

  /** @throws notFound, invalidAllowlistEntry, allowlistEntryAlreadyExists, allowlistFull */
  async add(
    environmentId: EnvironmentId,
    allowlistId: string,
    request: PostAllowlistEntriesRequest,
    actor: Actor,
    work: Work,
  ): Promise<AllowlistEntry> {
    const read = readEntry(request);
    if (read.problems) throw invalidAllowlistEntry({ payload: { additionalMessages: read.problems } });
    const id = newId();
    const { alias } = read.fields;
    const keys = [...read.keys, ...(alias === undefined ? [] : [aliasKey(alias, id)])];
    const fields = read.fields as Record<string, string | number>;
    return work.run(async (tx) => {
      if (!(await this.lists.hold(environmentId, allowlistId, tx))) throw notFound();
      const row = await this.entries.add(environmentId, { id, allowlistId, fields }, keys, tx).catch(isTaken);
      if (!(await this.lists.count(environmentId, allowlistId, 1, tx))) throw allowlistFull();
      const after = shown(row);
      const states = { before: null, after: recorded(after), data: after };
      const change = { event: ENTRY_CREATED, resource: resourceOf(id), ...states };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      return after;
    });
  }

  /** @throws notFound */
  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const known = await this.entries.find(environmentId, { id }, tx);
      if (!known || !(await this.lists.hold(environmentId, known.allowlistId, tx))) throw notFound();
      const row = await this.entries.lock(environmentId, { id }, tx);
      if (!row || (await this.entries.delete(environmentId, { id }, tx)) === 0) throw notFound();
      await this.lists.count(environmentId, row.allowlistId, -1, tx);
      const before = shown(row);
      const states = { before: recorded(before), after: null, data: before };
      const change = { event: ENTRY_DELETED, resource: resourceOf(id), ...states };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    });
  }
}

const shown = ({ id, allowlistId, fields }: AllowlistEntryRow): AllowlistEntry => ({
  ...{ id, allowListId: allowlistId },
  ...fields,
});
/** What the audit trail keeps permanently, even after the entry is deleted: by what somebody was listed, not who. */
const recorded = ({ id, allowListId, emailDomain, ...named }: AllowlistEntry): object => ({
  ...{ id, allowListId },
  ...(emailDomain !== undefined && { emailDomain }),
  ...Object.fromEntries(Object.entries(named).map(([field, value]) => [field, hinted(String(value))])),
});
const resourceOf = (id: string) => ({ type: 'allowlistEntry', id });

function directionOf(orderBy: string): 'asc' | 'desc' {
  if (Object.hasOwn(ORDERS, orderBy)) return ORDERS[orderBy as keyof typeof ORDERS];
  throw validationFailed({ payload: { fields: [{ field: 'orderBy', message: 'orderBy must name createdAt' }] } });
}

/** The unique key decides between concurrent entries for one person. */
function isTaken(error: unknown): never {
  throw violatedConstraint(error) === ENTRY_KEY ? allowlistEntryAlreadyExists({ cause: error }) : error;
}
