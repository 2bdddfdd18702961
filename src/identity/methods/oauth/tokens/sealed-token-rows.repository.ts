import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../../../database/index.js';
import { OauthToken } from './oauth-token.entity.js';

type Key = 'environmentId' | 'id' | 'provider';
export type SealedTokenRow = SealedRow<OauthToken, Key, 'sealedTokens'>;

/** Sealed tokens, for master key rotation. */
@Injectable()
export class SealedTokenRowsRepository extends SealedColumns<OauthToken, Key, 'sealedTokens'> {
  constructor(database: Database) {
    super(database, OauthToken, { key: ['environmentId', 'id', 'provider'], columns: ['sealedTokens'] });
  }
}
