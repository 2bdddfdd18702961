import { Injectable } from '@nestjs/common';
import { spellingsOf } from '../../common/addresses/normal-address.js';
import { scopedStatement, statementFamily, type EnvironmentId, type Transaction } from '../../database/index.js';
import { namespaceOf, storedNamesOf, type Chain, type UserWallet } from '../../identity/index.js';
import { ShownWallets } from './shown-wallets.js';
import type { Wallet } from './wallet.entity.js';

const INSERT_EXTERNAL = statementFamily('wallets.insertExternal', (name, wallet) =>
  scopedStatement(
    name,
    `WITH made AS (
     INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, additional_addresses)
     SELECT $1, n.id, $2, 'external', n.name, n.chain, n.address, n.provider, n.additional_addresses
     FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
       AS n (id, name, chain, address, provider, additional_addresses)
     RETURNING *)
   SELECT ${wallet} AS wallet FROM made w ORDER BY w.id`,
  ),
);

const COUNT_EXTERNAL = scopedStatement(
  'wallets.countExternal',
  `SELECT count(*) FILTER (WHERE kind = 'external')::int AS count, coalesce(bool_or(chain = ANY ($3::text[])
     AND $4::text[] && ARRAY[address, lower(address)]), false) AS "isThere"
   FROM wallets WHERE environment_id = $1 AND user_id = $2 AND (kind = 'external' OR deleted_at IS NULL)`,
);

/** The data of an external wallet. */
export type ExternalWallet = Pick<Wallet, 'id' | 'name' | 'chain' | 'address' | 'provider' | 'additionalAddresses'>;

/** Wallets whose keys users keep elsewhere, as API calls state them. */
@Injectable()
export class ExternalWalletsRepository {
  constructor(private readonly shown: ShownWallets) {}

  /** How many external wallets the user has, and whether the user sees this one among all of theirs already. */
  async count(
    environmentId: EnvironmentId,
    userId: string,
    { chain, address }: { chain: Chain; address: string },
    tx: Transaction,
  ): Promise<{ count: number; isThere: boolean }> {
    const values = [environmentId, userId, storedNamesOf(chain), spellingsOf(namespaceOf(chain), address)];
    return (await tx.rows<{ count: number; isThere: boolean }>(COUNT_EXTERNAL, values))[0]!;
  }

  async insert(
    environmentId: EnvironmentId,
    userId: string,
    wallets: readonly ExternalWallet[],
    tx: Transaction,
  ): Promise<UserWallet[]> {
    const rows = await tx.rows<{ wallet: UserWallet }>(INSERT_EXTERNAL(this.shown.json), [
      environmentId,
      userId,
      wallets.map(({ id }) => id),
      wallets.map(({ name }) => name),
      wallets.map(({ chain }) => chain),
      wallets.map(({ address }) => address),
      wallets.map(({ provider }) => provider),
      wallets.map(({ additionalAddresses }) => additionalAddresses && JSON.stringify(additionalAddresses)),
    ]);
    return rows.map(({ wallet }) => wallet);
  }
}
