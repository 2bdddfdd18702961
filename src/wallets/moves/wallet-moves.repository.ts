import { Injectable } from '@nestjs/common';
import { scopedStatement, statementFamily, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { ConnectedWallet, UserWallet } from '../../identity/index.js';
import { ShownWallets } from '../record/shown-wallets.js';

const HAS_EMBEDDED = scopedStatement(
  'walletMoves.findEmbedded',
  "SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' LIMIT 1",
);
// Keys outlive wallets that the team has deleted, which can be made again.
const HAS_KEYS = scopedStatement(
  'walletMoves.findKeys',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded'
   UNION ALL
   SELECT id FROM wallet_seeds WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL LIMIT 1`,
);
const MOVE_ALL = scopedStatement(
  'walletMoves.takeAll',
  `UPDATE wallets SET user_id = $3, updated_at = now()
   WHERE environment_id = $1 AND user_id = $2 AND kind = 'external' RETURNING id`,
);
const MOVE = scopedStatement(
  'walletMoves.take',
  `UPDATE wallets SET user_id = $3, updated_at = now()
   WHERE environment_id = $1 AND user_id = $2 AND id = ANY ($4::uuid[]) AND kind = 'external'`,
);
const MOVE_ONE = statementFamily('walletMoves.takeOne', (name, wallet) =>
  scopedStatement(
    name,
    `WITH moved AS (
     UPDATE wallets SET user_id = $3, updated_at = now()
     WHERE environment_id = $1 AND user_id = $2 AND id = $4 AND kind = 'external' RETURNING *)
   SELECT ${wallet} AS wallet FROM moved w`,
  ),
);
const DROP = statementFamily('walletMoves.remove', (name, wallet) =>
  scopedStatement(
    name,
    `WITH dropped AS (
     DELETE FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'external' RETURNING *)
   SELECT ${wallet} AS wallet FROM dropped w`,
  ),
);
/**
 * Updates the credential as well. An external wallet may be in another application than before; of an embedded one, the
 * client says nothing that counts. Locks beyond the user's are not waited for: a concurrent transaction that holds them
 * is linking, selecting or deleting the wallet, and locks in another order.
 */
const CONNECT = scopedStatement(
  'walletMoves.updateConnected',
  `WITH u AS (SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE),
   held AS (
     SELECT c.id, own.id AS wallet_id, CASE own.kind WHEN 'external' THEN $5::text END AS name,
       CASE own.kind WHEN 'external' THEN $6::text END AS provider,
       CASE own.kind WHEN 'external' THEN $7::jsonb END AS others
     FROM u JOIN credentials c ON c.environment_id = $1 AND c.user_id = u.id
     JOIN wallets own ON own.environment_id = $1 AND own.id = c.wallet_id
     WHERE c.verified_at IS NOT NULL AND own.deleted_at IS NULL
       AND c.chain = ANY ($4::text[]) AND $3::text[] && ARRAY[c.address, lower(c.address)]
     FOR NO KEY UPDATE OF c, own SKIP LOCKED),
   w AS (
     UPDATE wallets w SET last_selected_at = now(), updated_at = now(), name = coalesce(held.name, w.name),
       provider = coalesce(held.provider, w.provider),
       additional_addresses = coalesce(held.others, w.additional_addresses) FROM held
     WHERE w.environment_id = $1 AND w.id = held.wallet_id)
   UPDATE credentials c SET last_selected_at = now(), wallet_name = coalesce(held.name, c.wallet_name),
     wallet_provider = coalesce(held.provider, c.wallet_provider),
     wallet_additional_addresses = coalesce(held.others, c.wallet_additional_addresses)
   FROM held WHERE c.environment_id = $1 AND c.id = held.id`,
);

/** External wallets that pass to another user. Embedded ones never do: their keys are sealed to the user. */
@Injectable()
export class WalletMovesRepository {
  constructor(private readonly shown: ShownWallets) {}

  async hasEmbedded(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(HAS_EMBEDDED, [environmentId, userId])).length > 0;
  }

  /** Whether the user has an embedded wallet, or keys of one that was deleted. */
  async hasKeys(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(HAS_KEYS, [environmentId, userId])).length > 0;
  }

  /** @returns the ids of the wallets */
  async moveAll(environmentId: EnvironmentId, from: string, to: string, tx: Transaction): Promise<string[]> {
    return (await tx.rows<{ id: string }>(MOVE_ALL, [environmentId, from, to])).map(({ id }) => id);
  }

  async move(
    environmentId: EnvironmentId,
    from: string,
    to: string,
    ids: readonly string[],
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(MOVE, [environmentId, from, to, ids]);
  }

  /** @returns null when it is not an external wallet of `from` */
  async moveOne(
    environmentId: EnvironmentId,
    from: string,
    to: string,
    id: string,
    tx: Transaction,
  ): Promise<UserWallet | null> {
    return (
      (await tx.rows<{ wallet: UserWallet }>(MOVE_ONE(this.shown.json), [environmentId, from, to, id]))[0]?.wallet ??
      null
    );
  }

  /** Records that the user has just signed with the wallet of an address. */
  connect(
    environmentId: EnvironmentId,
    userId: string,
    { key: { spellings, chains }, credential = {} }: ConnectedWallet,
    tx: Transaction,
  ): void {
    const { walletName = null, walletProvider = null, walletAdditionalAddresses: others } = credential;
    const said = [walletName, walletProvider, others ? JSON.stringify(others) : null];
    tx.send(CONNECT, [environmentId, userId, spellings, chains, ...said]);
  }

  /** @returns null when it is not an external wallet of the user */
  async drop(environmentId: EnvironmentId, userId: string, id: string, tx: Transaction): Promise<UserWallet | null> {
    return (
      (await tx.rows<{ wallet: UserWallet }>(DROP(this.shown.json), [environmentId, userId, id]))[0]?.wallet ?? null
    );
  }
}
