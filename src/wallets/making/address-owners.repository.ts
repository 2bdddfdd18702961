import { Injectable } from '@nestjs/common';
import type { EmbeddedAccount, EmbeddedChain } from '../../custody/index.js';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

const LIST = scopedStatement(
  'addressOwners.list',
  `SELECT w.chain, w.user_id = $2 AS "isOwn"
   FROM unnest($3::text[], $4::text[]) AS a (chain, address)
   JOIN wallets w ON w.environment_id = $1 AND w.kind = 'embedded' AND w.chain = a.chain AND w.address = a.address
   ORDER BY w.chain`,
);

/** An account whose address an embedded wallet, hidden or not, already has. */
export interface OwnedAddress {
  readonly chain: EmbeddedChain;
  /** The wallet belongs to the same user. */
  readonly isOwn: boolean;
}

/** The owners of addresses that could not be inserted. */
@Injectable()
export class AddressOwnersRepository {
  list(
    environmentId: EnvironmentId,
    userId: string,
    accounts: readonly Pick<EmbeddedAccount, 'chain' | 'address'>[],
    tx: Transaction,
  ): Promise<OwnedAddress[]> {
    const [chains, addresses] = [accounts.map(({ chain }) => chain), accounts.map(({ address }) => address)];
    return tx.rows<OwnedAddress>(LIST, [environmentId, userId, chains, addresses]);
  }
}
