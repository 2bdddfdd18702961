import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { readOfacList, SanctionsFileError } from './ofac-list.js';
import { SanctionsList } from './sanctions-list.js';
import { SanctionsListsRepository } from './sanctions-lists.repository.js';

export interface ImportedList {
  publishedOn: string | null;
  /** The number of addresses per currency. */
  currencies: Record<string, number>;
  count: number;
  /** The size of the previous list; null for the first one. */
  before: number | null;
  /** False when this very file is already in force. */
  isNew: boolean;
}

/** Imports a published list as the one in force. */
@Injectable()
export class SanctionsImport {
  constructor(
    private readonly lists: SanctionsListsRepository,
    private readonly inForce: SanctionsList,
  ) {}

  /**
   * @param maySink whether the new list may have fewer than half as many addresses as the previous one
   * @throws SanctionsFileError, in which case the previous list stays in force
   */
  async import(chunks: AsyncIterable<string>, maySink: boolean): Promise<ImportedList> {
    const digest = createHash('sha256');
    const { publishedOn, addresses } = await readOfacList(hashed(chunks, digest));
    const found = digest.digest('hex');
    const before = await this.lists.findNewest();
    if (addresses.length === 0) throw new SanctionsFileError('it names no digital currency address');
    if (!maySink && before && addresses.length * 2 < before.count) {
      throw new SanctionsFileError(`it has ${addresses.length} addresses, and the list in force ${before.count}`);
    }
    const currencies: Record<string, number> = {};
    for (const { currency } of addresses) currencies[currency] = (currencies[currency] ?? 0) + 1;
    const isNew = before?.digest !== found;
    if (isNew) await this.lists.add({ id: newId(), digest: found, publishedOn }, addresses);
    this.inForce.forget();
    return { publishedOn, currencies, count: addresses.length, before: before?.count ?? null, isNew };
  }
}

async function* hashed(
  chunks: AsyncIterable<string>,
  digest: { update(text: string): unknown },
): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    digest.update(chunk);
    yield chunk;
  }
}
