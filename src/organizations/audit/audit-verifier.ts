import { Injectable } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { AuditRecordsRepository, type AuditRow } from './audit-records.repository.js';
import { GENESIS_HASH, recordHash } from './record-hash.js';

/** Records read per batch. */
const BATCH = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

export interface VerifiedTrail {
  organizationId: string;
  /** The number of intact records before the first broken one. */
  count: number;
  /** The hash of the last intact record, in hexadecimal. */
  head: string;
  /** The first record that is not intact. */
  broken?: { sequence: number; reason: string };
}

/** A head as in the hourly log line. */
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
 * Verifies the chains of records from the first to the head. To alter, remove, add or move a record, an attacker would
 * have to rewrite every later record and the head; even then, heads published in the log reveal it.
 *
 * Such an attacker can also drop table constraints, so verification relies on none: it starts below any possible
 * sequence number and detects duplicate ones.
 */
@Injectable()
export class AuditVerifier {
  constructor(private readonly records: AuditRecordsRepository) {}

  /** Ids of all organizations with a trail, those whose organization no longer exists last. */
  async *organizations(): AsyncGenerator<string> {
    for (let after = FIRST; ;) {
      const batch = await this.records.listOrganizations(after, BATCH);
      yield* batch;
      if (batch.length < BATCH) break;
      after = batch.at(-1) ?? after;
    }
    yield* await this.records.listUnowned(BATCH);
  }

  /** @param published a head kept elsewhere, e.g. in the log: the trail must contain it, and may have grown since */
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
      // Starts again at the last record of the previous batch, to catch duplicates of its number that were cut off.
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
      // Read after the records: anything committed before the head is among them, or missing.
      const head = (await this.records.findHead(organizationId, on)) ?? { sequence: 0, hash: GENESIS_HASH };
      if (head.sequence === last.sequence) {
        if (!head.hash.equals(last.hash))
          return result({ sequence: last.sequence, reason: 'it is not the one that the head of the trail names' });
        // Somebody who truncates the trail can move the head as well, but not a published one.
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

  /** A record beyond the head does not mean that the ones before it are missing. */
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
