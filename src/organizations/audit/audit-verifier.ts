import { Injectable } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { AuditRecordsRepository, type AuditRow } from './audit-records.repository.js';
import { GENESIS_HASH, recordHash } from './record-hash.js';

/** Records read at a time. */
const BATCH = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

export interface VerifiedTrail {
  organizationId: string;
  /** Records that are as they were written, up to the first that is not. */
  count: number;
  /** The hash of the last of these, in hexadecimal. */
  head: string;
  /** The first record that is not as it was written. */
  broken?: { sequence: number; reason: string };
}

/** As the hourly line of the log has it. */
export interface PublishedHead {
  sequence: number;
  /** In hexadecimal. */
  hash: string;
}

interface Link {
  sequence: number;
  hash: Buffer;
}

/**
 * Walks the chains of records from the first to the head. Whoever alters, removes, adds or moves a record would have to
 * write every later one anew, and the head with them; the heads that were published in the log show that as well.
 *
 * Whoever can do that can drop constraints of the table as well, so the walk relies on none: it begins below every record,
 * and meets those that stand where another one does.
 */
@Injectable()
export class AuditVerifier {
  constructor(private readonly records: AuditRecordsRepository) {}

  /** Every organization that has a trail, by its id, and last those that are there no more. */
  async *organizations(): AsyncGenerator<string> {
    for (let after = FIRST; ;) {
      const batch = await this.records.listOrganizations(after, BATCH);
      yield* batch;
      if (batch.length < BATCH) break;
      after = batch.at(-1) ?? after;
    }
    yield* await this.records.listUnowned(BATCH);
  }

  /** @param published a head that stands elsewhere, such as in the log: the trail must have it, and may have gone on */
  async verify(organizationId: string, on?: Executor, published?: PublishedHead): Promise<VerifiedTrail> {
    let last: Link = { sequence: 0, hash: GENESIS_HASH };
    const result = (broken?: VerifiedTrail['broken']): VerifiedTrail => ({
      organizationId,
      count: last.sequence,
      head: last.hash.toString('hex'),
      ...(broken && { broken }),
    });
    let from: number | null = null;
    for (;;) {
      // Begins with the record that the batch before ended with: what has the same number was left out there.
      const met = from === null ? 0 : 1;
      const batch = await this.records.walk(organizationId, from, BATCH + met, on);
      for (const record of batch.slice(met)) {
        const broken = brokenLink(record, last) ?? differs(record, published);
        if (broken) return result((await this.beyondHead(organizationId, record, last, on)) ?? broken);
        last = record;
      }
      if (batch.length > met) {
        from = last.sequence;
        continue;
      }
      // Read after the records: whatever was committed before is among those, or missing.
      const head = (await this.records.findHead(organizationId, on)) ?? { sequence: 0, hash: GENESIS_HASH };
      if (head.sequence === last.sequence) {
        if (!head.hash.equals(last.hash))
          return result({ sequence: last.sequence, reason: 'it is not the one that the head of the trail names' });
        // Whoever cuts records off the end can move the head with them, but not what was published.
        const isShorter = published !== undefined && published.sequence > last.sequence;
        return result(isShorter ? { sequence: last.sequence + 1, reason: SHORTENED } : undefined);
      }
      const next = last.sequence + 1;
      if (head.sequence < last.sequence) {
        return result({ sequence: head.sequence + 1, reason: BEYOND });
      }
      const added = await this.records.walk(organizationId, from, met + 1, on);
      if (added.length === met) return result({ sequence: next, reason: 'it is missing' });
    }
  }

  /** Nothing is missing before a record that was put somewhere behind the head. */
  private async beyondHead(
    organizationId: string,
    { sequence }: AuditRow,
    last: Link,
    on?: Executor,
  ): Promise<VerifiedTrail['broken']> {
    if (sequence <= last.sequence + 1) return undefined;
    const head = await this.records.findHead(organizationId, on);
    return head && head.sequence <= last.sequence ? { sequence, reason: BEYOND } : undefined;
  }
}

const BEYOND = 'it stands behind the head of the trail';
const SHORTENED = 'it is gone, and a head behind it was published';

const differs = (record: Link, published: PublishedHead | undefined): VerifiedTrail['broken'] =>
  published?.sequence === record.sequence && published.hash !== record.hash.toString('hex')
    ? { sequence: record.sequence, reason: 'it is not the one that was published' }
    : undefined;

function brokenLink(record: AuditRow, last: Link): VerifiedTrail['broken'] {
  const sequence = last.sequence + 1;
  if (record.sequence < 1) return { sequence: record.sequence, reason: 'it stands before the first record' };
  if (record.sequence < sequence) return { sequence: record.sequence, reason: 'it is there more than once' };
  if (record.sequence > sequence) return { sequence, reason: 'it is missing' };
  if (!record.previousHash.equals(last.hash)) return { sequence, reason: 'it does not follow the record before it' };
  if (!recordHash(record).equals(record.hash)) return { sequence, reason: 'it is not as it was written' };
  return undefined;
}
