import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import {
  DEFAULT_PAGE,
  type AuditActor,
  type AuditRecord,
  type AuditRecordsResponse,
  type GetAuditRecordsQuery,
} from './audit-record.dto.js';
import { PeopleDirectory, type Person } from '../members/people-directory.js';
import { AuditRecordsRepository, type AuditRow } from './audit-records.repository.js';

const CURSOR = /^[1-9]\d{0,14}$/;

/** Who changed what in an organization. */
@Injectable()
export class AuditRecordsService {
  constructor(
    private readonly records: AuditRecordsRepository,
    private readonly people: PeopleDirectory,
  ) {}

  async list(organizationId: OrganizationId, query: GetAuditRecordsQuery): Promise<AuditRecordsResponse> {
    const { limit = DEFAULT_PAGE, cursor, environmentId, action } = query;
    // Forms send fields that nobody filled in as empty ones.
    const range = { below: parseCursor(cursor), limit: limit + 1, environmentId, action: action || undefined };
    // One more than the page, to detect the last page without counting.
    const rows = await this.records.listPage(organizationId, range);
    const data = rows.slice(0, limit);
    const last = data.at(-1);
    const members = new Set(data.flatMap(({ actor }) => (actor.kind === 'member' ? [actor.id] : [])));
    // One statement for the whole page. For a deleted person, only the id remains.
    const people = members.size > 0 ? await this.people.findPeople([...members]) : new Map<string, Person>();
    return {
      data: data.map((row) => shown(row, people)),
      ...(rows.length > limit && last && { cursor: String(last.sequence) }),
    };
  }
}

/** @throws validation_failed for a cursor that no page returned */
function parseCursor(text: string | undefined): number {
  if (text === undefined || text === '') return Number.MAX_SAFE_INTEGER;
  if (CURSOR.test(text)) return Number(text);
  throw invalidFields([{ field: 'cursor', message: 'cursor must be one that the previous page has given' }]);
}

function named({ alias, firstName, lastName, email }: Person): Pick<AuditActor, 'name' | 'email'> {
  const name = [firstName, lastName].filter(Boolean).join(' ') || alias;
  return { ...(name && { name }), ...(email && { email }) };
}

const shown = (
  { actor, environmentId, previousHash, hash, resourceType, resourceId, changes, ...row }: AuditRow,
  people: ReadonlyMap<string, Person>,
): AuditRecord => ({
  ...row,
  actor: { ...actor, ...(actor.kind === 'member' && named(people.get(actor.id) ?? { id: actor.id })) },
  resource: { type: resourceType, id: resourceId },
  ...(environmentId !== null && { environmentId }),
  changes: [...changes],
  previousHash: previousHash.toString('hex'),
  hash: hash.toString('hex'),
});
