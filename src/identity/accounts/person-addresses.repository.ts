import { Injectable } from '@nestjs/common';
import { spellingsOf } from '../../common/addresses/normal-address.js';
import { Database, scopedStatement, type EnvironmentId, type Executor } from '../../database/index.js';
import { UserFacets, type HeldAddress } from '../users/user-facets.js';
import { namespaceOf } from '../vocabulary/chains.js';

/** Wallets of some chains have more than one address. */
const LIST = scopedStatement(
  'personAddresses.list',
  `SELECT a.address, c.chain FROM credentials c CROSS JOIN LATERAL (
     SELECT c.address UNION ALL
     SELECT o ->> 'address' FROM jsonb_array_elements(coalesce(c.wallet_additional_addresses, '[]')) AS o) a
   WHERE c.environment_id = $1 AND c.user_id = $2 AND c.address IS NOT NULL`,
);

/** The addresses of a person, as rows that do not refer to the user have them. */
@Injectable()
export class PersonAddressesRepository {
  constructor(
    private readonly database: Database,
    private readonly facets: UserFacets,
  ) {}

  /** @returns every spelling of each, in lower case, which is what an index finds */
  async list(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<string[]> {
    const proven = await on.rows<HeldAddress>(LIST, [environmentId, userId]);
    const others = await this.facets.addresses(environmentId, userId, on);
    return [...new Set([...proven, ...others].flatMap(spelled))];
  }
}

const spelled = ({ address, chain }: HeldAddress): string[] =>
  [address, ...spellingsOf(namespaceOf(chain), address)].map((one) => one.toLowerCase());
