import { randomBytes, randomUUID } from 'node:crypto';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import { KeyImport, SERVICE, type HeldAccount } from '../../src/custody/index.js';
import { UnitOfWork, type EnvironmentId } from '../../src/database/index.js';
import type { TestApp } from './app.js';
import { sealFor } from './hpke-open.js';
import { proofOf } from './surface/fresh-proof.js';
import type { SignedIn, World } from './world.js';

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

/** Imports a user's EVM key, which takes two calls. */
export const bringKey = async (world: World, person: Pick<SignedIn, 'jwt' | 'userId'>, key: Buffer) =>
  (await openImport(world, person, key))();

/** Makes the first of the two calls. @returns makes the second one */
export async function openImport(world: World, { jwt, userId }: Pick<SignedIn, 'jwt' | 'userId'>, key: Buffer) {
  const asked = { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
  const options = { token: jwt, headers: await proofOf(world, jwt), expect: 200 };
  const path = world.sdk('/waas/privateKey/import');
  const { body: room } = await world.anonymous.post<{ roomId: string; serverKeygenIds: string[] }>(
    path,
    asked,
    options,
  );
  const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
  const info = Buffer.from(['import/v1', world.environmentId, userId, 'EVM', room.roomId].join('|'));
  const recipient = Buffer.from(base58.decode(room.serverKeygenIds[0]!));
  const sealed = sealFor(recipient, key, info, Buffer.from(address));
  const [enc, ciphertext] = [sealed.enc.toString('base64url'), sealed.ciphertext.toString('base64url')];
  return () =>
    world.anonymous.post<{ code?: string }>(
      world.sdk(`/users/embeddedWallets/activities/${room.roomId}/import`),
      { enc, ciphertext, address },
      { token: jwt },
    );
}
