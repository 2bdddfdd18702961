import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../../../vault/index.js';
import { SealedTokenRowsRepository, type SealedTokenRow } from './sealed-token-rows.repository.js';
import { SealedTokens } from './sealed-tokens.js';

/** Provider tokens in master key rotation. */
@Injectable()
export class SealedTokenRows extends SealedTable<SealedTokenRow> {
  readonly name = 'oauth_tokens.sealed_tokens';

  constructor(
    rows: SealedTokenRowsRepository,
    private readonly tokens: SealedTokens,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedTokenRow): Promise<SealedTokenRow> {
    return { ...row, ...(await this.tokens.rewrap(row)) };
  }
}
