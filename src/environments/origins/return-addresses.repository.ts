import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';

const FIND = scopedStatement(
  'returnAddresses.find',
  `SELECT CASE
     WHEN EXISTS (SELECT FROM deeplink_urls WHERE environment_id = $1 AND url = $2) THEN 'deeplink'
     WHEN EXISTS (SELECT FROM origins WHERE environment_id = $1 AND origin = $3) THEN 'origin' END AS found`,
);

@Injectable()
export class ReturnAddressesRepository {
  constructor(private readonly database: Database) {}

  /** Whether an address is registered as a deeplink or as an origin. */
  async find(environmentId: EnvironmentId, url: string, origin: string): Promise<'deeplink' | 'origin' | null> {
    const values = [environmentId, url, origin];
    return (await this.database.rows<{ found: 'deeplink' | 'origin' | null }>(FIND, values))[0]?.found ?? null;
  }
}
