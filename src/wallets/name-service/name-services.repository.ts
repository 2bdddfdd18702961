import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { NameServiceRow } from './name-service.entity.js';
import type { SignerColumns } from './name-signer-keys.js';

/** An existing key is kept: the domain's resolver trusts it. */
const ENABLE = scopedStatement(
  'nameServices.enable',
  `UPDATE name_services SET enabled_at = now(), signer_address = coalesce(signer_address, $3),
     sealed_key = coalesce(sealed_key, $4), master_key_id = coalesce(master_key_id, $5)
   WHERE environment_id = $1 AND id = $2 AND enabled_at IS NULL`,
);
const DISABLE = scopedStatement(
  'nameServices.disable',
  'UPDATE name_services SET enabled_at = NULL WHERE environment_id = $1 AND id = $2 AND enabled_at IS NOT NULL',
);

@Injectable()
export class NameServicesRepository extends ScopedRepository<NameServiceRow> {
  constructor(database: Database) {
    super(database, NameServiceRow);
  }

  /** False when it is already enabled. @throws a unique violation when the domain is enabled elsewhere */
  async enable(
    environmentId: EnvironmentId,
    id: string,
    signer: SignerColumns | null,
    tx: Transaction,
  ): Promise<boolean> {
    const { signerAddress = null, sealedKey = null, masterKeyId = null } = signer ?? {};
    return (await tx.execute(ENABLE, [environmentId, id, signerAddress, sealedKey, masterKeyId])) > 0;
  }

  /** False when it is already disabled. */
  async disable(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<boolean> {
    return (await tx.execute(DISABLE, [environmentId, id])) > 0;
  }
}
