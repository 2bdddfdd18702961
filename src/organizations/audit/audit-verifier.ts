import { Injectable } from '@nestjs/common';
import { verifyChain, type KeptHead, type VerifiedChain } from '../../common/hash-chain.js';
import type { Executor } from '../../database/index.js';
import { AuditRecordsRepository } from './audit-records.repository.js';
import { recordHash } from './record-hash.js';

/** Records read per batch. */
const BATCH = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';
const WORDS = {
  chain: 'trail',
  link: 'record',
  replaced: 'it is not the one that was published',
  cutOff: 'it is gone, and a head behind it was published',
};

export interface VerifiedTrail extends VerifiedChain {
  readonly organizationId: string;
}

/** Verifies audit trails from the first record to the head. */
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

  /** @param published a head from the hourly log line: the trail must contain it, and may have grown since */
  async verify(organizationId: string, on?: Executor, published?: KeptHead): Promise<VerifiedTrail> {
    const trail = {
      linksPerRead: BATCH,
      walk: (from: number | null, limit: number) => this.records.walk(organizationId, from, limit, on),
      findHead: () => this.records.findHead(organizationId, on),
      hashOf: recordHash,
      words: WORDS,
    };
    return { organizationId, ...(await verifyChain(trail, published && [published])) };
  }
}
