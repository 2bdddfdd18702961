import { randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import { NameSignerKeys } from '../../src/wallets/name-service/name-signer-keys.js';
import { rowsOf } from './rows.js';
import { newAddress, word } from './surface/records.js';
import type { World } from './world.js';

/** A domain of the environment, with the key that signs for it. */
export async function addNameService({ test, environmentId }: World): Promise<void> {
  const id = randomUUID();
  const { signerAddress, sealedKey, masterKeyId } = await test.app
    .get(NameSignerKeys, { strict: false })
    .make({ environmentId, id });
  await rowsOf(
    test,
    `INSERT INTO name_services (environment_id, id, chain, domain, address, signer_address, sealed_key, master_key_id)
     VALUES ($1, $2, 'EVM', $3, $4, $5, $6, $7)`,
    [environmentId, id, `${word().toLowerCase()}.eth`, getAddress(newAddress()), signerAddress, sealedKey, masterKeyId],
  );
}
