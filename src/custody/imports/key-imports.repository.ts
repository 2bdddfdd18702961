import { Inject, Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';
import { SIGNER_CALLS, type SignerCalls } from '../../vault/index.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import type { NewlySealed } from '../signer/wallet-signer.js';

/** Time allowed between issuing the public key and receiving the private key. */
export const IMPORT_SECONDS = 300;

// Waits for whoever deletes the user, and then finds none.
const OPEN = scopedStatement(
  'keyImports.insert',
  `INSERT INTO key_imports (environment_id, id, user_id, session_id, chain, sealed_key, master_key_id, expires_at)
   SELECT $1, $2, u.id, $4, $5, $6, $7, now() + make_interval(secs => ${IMPORT_SECONDS})
   FROM users u WHERE u.environment_id = $1 AND u.id = $3 FOR KEY SHARE`,
);

const TAKE = scopedStatement(
  'keyImports.redeem',
  `DELETE FROM key_imports
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND expires_at > now()
   RETURNING chain, sealed_key AS sealed`,
);

// For a signer that reads the sealed column itself; that read uses up the import.
const FIND = scopedStatement(
  'keyImports.find',
  `SELECT chain, ''::bytea AS sealed FROM key_imports
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND expires_at > now()`,
);

/** Who sends which key. */
export interface ImportClaim {
  readonly importId: string;
  readonly userId: string;
  readonly sessionId: string;
}

export interface OpenImport {
  readonly chain: EmbeddedChain;
  /** Empty if the signer reads it; that read then decides which caller wins. */
  readonly sealed: Buffer;
}

@Injectable()
export class KeyImportsRepository {
  constructor(
    private readonly database: Database,
    @Inject(SIGNER_CALLS) private readonly signer: SignerCalls | null,
  ) {}

  /** False if the user has been deleted meanwhile. */
  async open(
    environmentId: EnvironmentId,
    { importId, userId, sessionId }: ImportClaim,
    chain: EmbeddedChain,
    { sealed, masterKeyId }: NewlySealed,
  ): Promise<boolean> {
    const values = [environmentId, importId, userId, sessionId, chain, sealed, masterKeyId];
    return (await this.database.execute(OPEN, values)) === 1;
  }

  /** The sealed receiver secret, for the one call that uses the import in time; null for all others. */
  async take(environmentId: EnvironmentId, { importId, userId, sessionId }: ImportClaim): Promise<OpenImport | null> {
    const statement = this.signer?.readsRows ? FIND : TAKE;
    return (await this.database.rows<OpenImport>(statement, [environmentId, importId, userId, sessionId]))[0] ?? null;
  }
}
