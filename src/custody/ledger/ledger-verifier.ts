import { Injectable } from '@nestjs/common';
import { verifyChain, type KeptHead, type VerifiedChain } from '../../common/hash-chain.js';
import type { Executor } from '../../database/index.js';
import { KeyLedgerRepository } from './key-ledger.repository.js';
import { rowHash } from './ledger-entry.js';

/** Rows per read. */
const BATCH = 5000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const WORDS = {
  chain: 'ledger',
  link: 'row',
  replaced: 'it is not the one that was kept',
  cutOff: 'it was cut off, with all that followed',
};

export interface VerifiedLedger extends VerifiedChain {
  readonly environmentId: string;
}

/** Verifies ledgers from the first row to the head. */
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
    const ledger = {
      linksPerRead: BATCH,
      walk: (from: number | null, limit: number) => this.rows.walk(environmentId, from, limit, on),
      findHead: () => this.rows.findHead(environmentId, on),
      hashOf: rowHash,
      words: WORDS,
    };
    return { environmentId, ...(await verifyChain(ledger, kept)) };
  }
}
