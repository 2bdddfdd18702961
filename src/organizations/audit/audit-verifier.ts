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
 */
@Injectable()
export class AuditVerifier {
  constructor(private readonly records: AuditRecordsRepository) {}

  /** Every organization that has a trail, by its id. */
  async *organizations(): AsyncGenerator<string> {
    for (let after = FIRST; ;) {
      const batch = await this.records.listOrganizations(after, BATCH);
      yield* batch;
      if (batch.length < BATCH) return;
      after = batch.at(-1) ?? after;
    }
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
    for (;;) {
      const batch = await this.records.walk(organizationId, last.sequence, BATCH, on);
      for (const record of batch) {
        const broken = brokenLink(record, last) ?? differs(record, published);
        if (broken) return result(broken);
        last = record;
      }
      if (batch.length > 0) continue;
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
        return result({ sequence: head.sequence + 1, reason: 'it stands behind the head of the trail' });
      }
      const [added] = await this.records.walk(organizationId, last.sequence, 1, on);
      if (!added) return result({ sequence: next, reason: 'it is missing' });
    }
  }
}

const SHORTENED = 'it is gone, and a head behind it was published';

const differs = (record: Link, published: PublishedHead | undefined): VerifiedTrail['broken'] =>
  published?.sequence === record.sequence && published.hash !== record.hash.toString('hex')
    ? { sequence: record.sequence, reason: 'it is not the one that was published' }
    : undefined;

function brokenLink(record: AuditRow, last: Link): VerifiedTrail['broken'] {
  const sequence = last.sequence + 1;
  if (record.sequence !== sequence) return { sequence, reason: 'it is missing' };
  if (!record.previousHash.equals(last.hash)) return { sequence, reason: 'it does not follow the record before it' };
  if (!recordHash(record).equals(record.hash)) return { sequence, reason: 'it is not as it was written' };
  return undefined;
}
