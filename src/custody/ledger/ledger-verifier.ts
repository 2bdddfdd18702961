import { Injectable } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { KeyLedgerRepository } from './key-ledger.repository.js';
import { GENESIS_HASH, rowHash, type LedgerRow } from './ledger-entry.js';

/** Rows read at a time. */
const BATCH = 5000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** What somebody wrote down of a ledger earlier, and kept elsewhere. */
export interface KeptHead {
  readonly sequence: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface VerifiedLedger {
  environmentId: string;
  /** Rows that are as they were written, up to the first that is not. */
  count: number;
  /** The hash of the last of these, in hexadecimal. */
  head: string;
  /** The first row that is not as it was written. */
  broken?: { sequence: number; reason: string };
}

/** All that was kept of each row: who writes a ledger anew has the log publish a head of that, too. */
type Expected = ReadonlyMap<number, readonly string[]>;

interface Link {
  sequence: number;
  hash: Buffer;
}

/**
 * Walks ledgers from the first row to the head. Whoever alters, removes, adds or moves a row has to write every later
 * one anew, and the head with them. Who can do all of that is found out by a head that was kept elsewhere.
 *
 * Whoever can do that can drop constraints of the table as well, so the walk relies on none: it begins below every row, and
 * meets those that stand where another one does.
 */
@Injectable()
export class LedgerVerifier {
  constructor(private readonly rows: KeyLedgerRepository) {}

  /** Every environment that has a ledger, by its id, and last those whose head was taken away. */
  async *environments(): AsyncGenerator<string> {
    for (let after = FIRST; ;) {
      const heads = await this.rows.listHeads(after, BATCH);
      for (const { environmentId } of heads) yield environmentId;
      if (heads.length < BATCH) break;
      after = heads.at(-1)?.environmentId ?? after;
    }
    yield* await this.rows.listHeadless(BATCH);
  }

  async verify(environmentId: string, kept: readonly KeptHead[] = [], on?: Executor): Promise<VerifiedLedger> {
    const expected = bySequence(kept);
    let last: Link = { sequence: 0, hash: GENESIS_HASH };
    const result = (broken?: VerifiedLedger['broken']): VerifiedLedger => ({
      environmentId,
      count: last.sequence,
      head: last.hash.toString('hex'),
      ...(broken && { broken }),
    });
    let from: number | null = null;
    for (;;) {
      // Begins with the row that the batch before ended with: what has the same number was left out there.
      const met = from === null ? 0 : 1;
      const batch = await this.rows.walk(environmentId, from, BATCH + met, on);
      for (const row of batch.slice(met)) {
        const broken = brokenLink(row, last, expected);
        if (broken) return result((await this.beyondHead(environmentId, row, last, on)) ?? broken);
        last = row;
      }
      if (batch.length > met) {
        from = last.sequence;
        continue;
      }
      // Read after the rows: whatever was committed before is among those, or missing.
      const head = (await this.rows.findHead(environmentId, on)) ?? { sequence: 0, hash: GENESIS_HASH };
      if (head.sequence > last.sequence && (await this.rows.walk(environmentId, from, met + 1, on)).length > met)
        continue;
      return result(brokenEnd(head, last, expected));
    }
  }

  /** Nothing is missing before a row that was put somewhere behind the head. */
  private async beyondHead(
    environmentId: string,
    { sequence }: LedgerRow,
    last: Link,
    on?: Executor,
  ): Promise<VerifiedLedger['broken']> {
    if (sequence <= last.sequence + 1) return undefined;
    const head = await this.rows.findHead(environmentId, on);
    return head && head.sequence <= last.sequence ? { sequence, reason: BEYOND } : undefined;
  }
}

const BEYOND = 'it stands behind the head of the ledger';

function bySequence(kept: readonly KeptHead[]): Expected {
  const expected = new Map<number, string[]>();
  for (const { sequence, hash } of kept) {
    const hashes = expected.get(sequence) ?? [];
    if (!hashes.includes(hash.toLowerCase())) hashes.push(hash.toLowerCase());
    expected.set(sequence, hashes);
  }
  return expected;
}

function brokenLink(row: LedgerRow, last: Link, expected: Expected): VerifiedLedger['broken'] {
  const sequence = last.sequence + 1;
  if (row.sequence < 1) return { sequence: row.sequence, reason: 'it stands before the first row' };
  if (row.sequence < sequence) return { sequence: row.sequence, reason: 'it is there more than once' };
  if (row.sequence > sequence) return { sequence, reason: 'it is missing' };
  if (!row.previousHash.equals(last.hash)) return { sequence, reason: 'it does not follow the row before it' };
  if (!rowHash(row).equals(row.hash)) return { sequence, reason: 'it is not as it was written' };
  const own = row.hash.toString('hex');
  if (expected.get(sequence)?.some((hash) => hash !== own))
    return { sequence, reason: 'it is not the one that was kept' };
  return undefined;
}

function brokenEnd(head: Link, last: Link, expected: Expected): VerifiedLedger['broken'] {
  const furthest = Math.max(0, ...expected.keys());
  const next = last.sequence + 1;
  if (head.sequence > last.sequence) return { sequence: next, reason: 'it is missing' };
  if (head.sequence < last.sequence) {
    return { sequence: head.sequence + 1, reason: BEYOND };
  }
  if (!head.hash.equals(last.hash)) {
    return { sequence: last.sequence, reason: 'it is not the one that the head of the ledger names' };
  }
  if (furthest > last.sequence) return { sequence: next, reason: 'it was cut off, with all that followed' };
  return undefined;
}
