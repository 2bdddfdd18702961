import { Injectable } from '@nestjs/common';
import { Database, deploymentStatement } from '../../database/index.js';
import type { SanctionedAddress } from './ofac-list.js';

/** How many versions are kept, to look up which list was in force at a given time. */
const KEPT = 20;

const NEWEST = deploymentStatement(
  'sanctionsLists.findNewest',
  `SELECT id, digest, published_on AS "publishedOn", imported_at AS "importedAt",
     jsonb_array_length(addresses) AS count
   FROM sanctions_lists ORDER BY imported_at DESC, id DESC LIMIT 1`,
);
const ADDRESSES = deploymentStatement(
  'sanctionsLists.readAddresses',
  'SELECT addresses FROM sanctions_lists WHERE id = $1',
);
const ADD = deploymentStatement(
  'sanctionsLists.add',
  'INSERT INTO sanctions_lists (id, digest, published_on, addresses) VALUES ($1, $2, $3, $4::jsonb)',
);
const FORGET = deploymentStatement(
  'sanctionsLists.forget',
  `DELETE FROM sanctions_lists WHERE id IN (
     SELECT id FROM sanctions_lists ORDER BY imported_at DESC, id DESC OFFSET ${KEPT})`,
);

export interface SanctionsVersion {
  id: string;
  digest: string;
  publishedOn: string | null;
  importedAt: Date;
  count: number;
}

@Injectable()
export class SanctionsListsRepository {
  constructor(private readonly database: Database) {}

  async findNewest(): Promise<SanctionsVersion | null> {
    return (await this.database.rows<SanctionsVersion>(NEWEST, []))[0] ?? null;
  }

  async readAddresses(id: string): Promise<SanctionedAddress[]> {
    const [row] = await this.database.rows<{ addresses: SanctionedAddress[] }>(ADDRESSES, [id]);
    return row?.addresses ?? [];
  }

  /** A single statement inserts the whole version, so that nobody sees a partial list. */
  async add(list: Omit<SanctionsVersion, 'importedAt' | 'count'>, addresses: SanctionedAddress[]): Promise<void> {
    await this.database.execute(ADD, [list.id, list.digest, list.publishedOn, JSON.stringify(addresses)]);
    await this.database.execute(FORGET, []);
  }
}
