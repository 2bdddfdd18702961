import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { scopedStatement, statementFamily, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { ProvenIdentifier, UserWallet } from '../../identity/index.js';
import { MAX_EXTERNAL_PER_USER } from './wallet-limits.js';
import { ShownWallets } from './shown-wallets.js';

/**
 * Creates the wallet of a credential that has none. A concurrent proof of the same identifier waits for the claim, made
 * earlier, and finds the wallet here. Credentials assigned by an API call already have a wallet.
 */
const LINK = statementFamily('wallets.linkProven', (name, wallet) =>
  scopedStatement(
    name,
    `WITH c AS (
     SELECT id, wallet_id FROM credentials
     WHERE environment_id = $1 AND user_id = $2 AND format = 'blockchain' AND chain = ANY ($9::text[])
       AND $10::text[] && ARRAY[address, lower(address)]
     ORDER BY wallet_id NULLS LAST LIMIT 1),
   room AS (
     SELECT count(*) < $11 AS is_there FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'external'),
   made AS (
     INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, additional_addresses)
     SELECT $1, $3, $2, 'external', $4, $5, $6, $7, $8::jsonb FROM c, room WHERE c.wallet_id IS NULL AND room.is_there
     RETURNING *),
   tied AS (
     UPDATE credentials SET wallet_id = made.id FROM made, c
     WHERE credentials.environment_id = $1 AND credentials.id = c.id)
   SELECT (SELECT ${wallet} FROM made w) AS wallet,
     c.wallet_id IS NULL AND NOT room.is_there AS "isFull"
   FROM c, room`,
  ),
);

/** Wallets that users have proven by signing with them. */
@Injectable()
export class ProvenWalletsRepository {
  constructor(private readonly shown: ShownWallets) {}

  /** `wallet` is null when the user already has it. */
  async link(
    environmentId: EnvironmentId,
    userId: string,
    { spellings, chains, credential: known }: ProvenIdentifier['key'],
    { walletName, walletProvider, walletAdditionalAddresses: others }: ProvenIdentifier['credential'],
    tx: Transaction,
  ): Promise<{ wallet: UserWallet | null; isFull: boolean }> {
    const { chain = null, address = null } = known;
    const properties = [
      walletName ?? '',
      chain,
      address,
      walletProvider ?? 'browserExtension',
      others && JSON.stringify(others),
    ];
    const values = [environmentId, userId, newId(), ...properties, chains, spellings, MAX_EXTERNAL_PER_USER];
    const [row] = await tx.rows<{ wallet: UserWallet | null; isFull: boolean }>(LINK(this.shown.json), values);
    return row ?? { wallet: null, isFull: false };
  }
}
