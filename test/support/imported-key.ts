import { randomBytes, randomUUID } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { KeyImport, SERVICE, type HeldAccount } from '../../src/custody/index.js';
import { UnitOfWork, type EnvironmentId } from '../../src/database/index.js';
import type { TestApp } from './app.js';
import { sealFor } from './hpke-open.js';

/** A key of a user that was imported, stored without a wallet. */
export async function importKey(
  { app }: TestApp,
  owner: { environmentId: EnvironmentId; userId: string },
): Promise<HeldAccount> {
  const { environmentId, userId } = owner;
  const imports = app.get(KeyImport, { strict: false });
  const importer = { userId, sessionId: randomUUID() };
  const { importId, publicKeys } = await imports.open(environmentId, importer, 'EVM');
  const key = randomBytes(32);
  const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
  const info = Buffer.from(['import/v1', environmentId, userId, 'EVM', importId].join('|'));
  const sent = { ...sealFor(publicKeys.P256, key, info, Buffer.from(address)), address };
  const imported = await imports.take(environmentId, { importId, ...importer }, sent, SERVICE);
  await app.get(UnitOfWork, { strict: false }).run((tx) => imported.store(tx));
  return { ...owner, keysId: imported.keysId, chain: 'EVM', index: 0, address };
}
