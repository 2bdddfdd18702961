import { Injectable } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { KeyLedgerRepository } from './key-ledger.repository.js';
import { GENESIS_HASH, rowHash, type LedgerRow } from './ledger-entry.js';

/** Rows per read. */
const BATCH = 5000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** A ledger head recorded earlier and kept elsewhere. */
export interface KeptHead {
  readonly sequence: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface VerifiedLedger {
  environmentId: string;
  /** Intact rows, up to the first one that is not. */
  count: number;
  /** The hash of the last intact row, in hexadecimal. */
  head: string;
  /** The first row that is not intact. */
  broken?: { sequence: number; reason: string };
}

/** All recorded hashes by row: someone who rewrites a ledger makes the log publish a head of the forgery too. */
type Expected = ReadonlyMap<number, readonly string[]>;

interface Link {
  sequence: number;
  hash: Buffer;
}

/**
 * Walks ledgers from the first row to the head. Anyone who alters, removes, adds or moves a row has to rewrite every
 * later one, and the head too. A head kept elsewhere exposes even someone who can do all of that.
 *
 * Such a person can also drop the table's constraints, so the walk relies on none: it starts below every row, and
 * detects rows with the same sequence number.
 */
@Injectable()
export class LedgerVerifier {
  constructor(private readonly rows: KeyLedgerRepository) {}

  /** Every environment that has a ledger, by id, followed by those whose head was removed. */
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
      // Starts again at the last row of the previous batch, to catch duplicates of its number.
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
      // Read after the rows: everything committed before it is among them, or missing.
      const head = (await this.rows.findHead(environmentId, on)) ?? { sequence: 0, hash: GENESIS_HASH };
      if (head.sequence > last.sequence && (await this.rows.walk(environmentId, from, met + 1, on)).length > met)
        continue;
      return result(brokenEnd(head, last, expected));
    }
  }

  /** A row inserted beyond the head does not mean that the rows before it are missing. */
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
