import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

const HAS_EMBEDDED = scopedStatement(
  'walletMoves.findEmbedded',
  "SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' LIMIT 1",
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
const DROP = scopedStatement(
  'walletMoves.remove',
  "DELETE FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'external'",
);

/** External wallets that change their user. Embedded ones never do: their keys are sealed to the user. */
@Injectable()
export class WalletMovesRepository {
  async hasEmbedded(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(HAS_EMBEDDED, [environmentId, userId])).length > 0;
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

  async drop(environmentId: EnvironmentId, userId: string, id: string, tx: Transaction): Promise<void> {
    await tx.execute(DROP, [environmentId, userId, id]);
  }
}
