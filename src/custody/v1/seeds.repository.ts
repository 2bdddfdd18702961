import { Inject, Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  SharedQuestions,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { SIGNER_CALLS, type SignerCalls } from '../../vault/index.js';
import type { WalletSeed, HeldSecretKind } from './wallet-seed.entity.js';

// The seed first, then the oldest imported key.
const FIRST = scopedStatement(
  'walletSeeds.findFirst',
  `SELECT id, user_id AS "userId", kind,
     vault_organization_id AS "vaultOrganizationId", vault_user_id AS "vaultUserId"
   FROM wallet_seeds WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL
   ORDER BY kind, created_at, id LIMIT 1`,
);

const FIND_ALL = scopedStatement(
  'walletSeeds.findAll',
  `SELECT a.place::int AS place, s.sealed_entropy AS sealed, s.kind
   FROM unnest((SELECT $2::uuid[]), $3::uuid[]) WITH ORDINALITY AS a (user_id, id, place)
   JOIN wallet_seeds s ON s.environment_id = $1 AND s.user_id = a.user_id AND s.id = a.id
   WHERE s.destroy_after IS NULL`,
);

// For a signer that reads the sealed column itself: omits it, since the service's role may not read it then.
const FIND_ALL_UNREAD = scopedStatement(
  'walletSeeds.findAllUnread',
  `SELECT a.place::int AS place, ''::bytea AS sealed, s.kind
   FROM unnest((SELECT $2::uuid[]), $3::uuid[]) WITH ORDINALITY AS a (user_id, id, place)
   JOIN wallet_seeds s ON s.environment_id = $1 AND s.user_id = a.user_id AND s.id = a.id
   WHERE s.destroy_after IS NULL`,
);

// A unique index decides whether the user already has a seed.
const INSERT = scopedStatement(
  'walletSeeds.insert',
  `INSERT INTO wallet_seeds (environment_id, id, user_id, kind, vault_organization_id, vault_user_id, sealed_entropy,
     master_key_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
);

const CONDEMN = scopedStatement(
  'walletSeeds.condemn',
  `UPDATE wallet_seeds SET destroy_after = now() + make_interval(days => $3)
   WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL AND ($4::uuid IS NULL OR id = $4)
   RETURNING id`,
);

// Destroying all keys of a user includes those still in their grace period.
const DESTROY = scopedStatement(
  'walletSeeds.destroy',
  `WITH gone AS (
     DELETE FROM wallet_seeds
     WHERE environment_id = $1 AND user_id = $2 AND ($3::uuid IS NULL OR id = $3 AND destroy_after IS NULL)
     RETURNING id, destroy_after)
   SELECT id FROM gone WHERE destroy_after IS NULL`,
);

/** The ids that clients see as the keyvault's records: the same for all keys of a user. */
export type VaultRecords = Pick<WalletSeed, 'vaultOrganizationId' | 'vaultUserId'>;

/** A seed or an imported key in use. */
export type LiveKeys = Pick<WalletSeed, 'id' | 'userId' | 'kind'> & VaultRecords;

export type NewKeys = LiveKeys & Pick<WalletSeed, 'sealedEntropy' | 'masterKeyId'>;

/** A sealed seed or imported key. */
export interface SealedSeed {
  /** Empty if the signer reads it. */
  readonly sealed: Buffer;
  readonly kind: HeldSecretKind;
}

interface WantedSeed {
  readonly userId: string;
  readonly id: string;
}

@Injectable()
export class SeedsRepository {
  private readonly wanted = new SharedQuestions<WantedSeed, SealedSeed | null>((environmentId, wanted) =>
    this.findAll(environmentId, wanted),
  );

  constructor(
    private readonly database: Database,
    @Inject(SIGNER_CALLS) private readonly signer: SignerCalls | null,
  ) {}

  /** False if the user has a seed by now. */
  async insertIfAbsent(environmentId: EnvironmentId, keys: NewKeys, tx: Transaction): Promise<boolean> {
    const { id, userId, kind, vaultOrganizationId, vaultUserId, sealedEntropy, masterKeyId } = keys;
    const values = [environmentId, id, userId, kind, vaultOrganizationId, vaultUserId, sealedEntropy, masterKeyId];
    return (await tx.execute(INSERT, values)) === 1;
  }

  /** The user's seed, or else the first imported key; never one that awaits destruction. */
  async findFirst(
    environmentId: EnvironmentId,
    userId: string,
    on: Executor = this.database,
  ): Promise<LiveKeys | null> {
    return (await on.rows<LiveKeys>(FIRST, [environmentId, userId]))[0] ?? null;
  }

  /** The seed or imported key of that id, unless it awaits destruction. */
  findSealed(environmentId: EnvironmentId, userId: string, id: string): Promise<SealedSeed | null> {
    return this.wanted.put(environmentId, { userId, id });
  }

  /**
   * Retires the user's seed and imported keys, or one of them; they are destroyed after `days`, immediately if 0.
   *
   * @returns the ids of those that were in use
   */
  async condemn(
    environmentId: EnvironmentId,
    userId: string,
    { days, keysId }: { readonly days: number; readonly keysId: string | null },
    tx: Transaction,
  ): Promise<string[]> {
    const owner = [environmentId, userId];
    const rows = await (days === 0
      ? tx.rows<{ id: string }>(DESTROY, [...owner, keysId])
      : tx.rows<{ id: string }>(CONDEMN, [...owner, days, keysId]));
    return rows.map(({ id }) => id);
  }

  private async findAll(
    environmentId: EnvironmentId,
    wanted: readonly WantedSeed[],
  ): Promise<readonly (SealedSeed | null)[]> {
    const rows = await this.database.rows<SealedSeed & { place: number }>(
      this.signer?.readsRows ? FIND_ALL_UNREAD : FIND_ALL,
      [environmentId, wanted.map(({ userId }) => userId), wanted.map(({ id }) => id)],
    );
    const found = new Map(rows.map(({ place, ...seed }) => [place, seed]));
    return wanted.map((_, at) => found.get(at + 1) ?? null);
  }
}
