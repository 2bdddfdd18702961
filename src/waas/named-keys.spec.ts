import { expect, it } from '@jest/globals';
import {
  Envelope,
  KeyVault,
  SealedRecordsRegistry,
  SecretBytes,
  type SealContext,
  type WrappedKey,
} from '../vault/index.js';
import { backupContext, SealedBackups } from './backups/sealed-backups.js';
import { SealedWalletSecrets, walletSecretContext } from './secrets/sealed-wallet-secrets.js';

/** Its key is rotated again each time that it opens something, and this process has heard of that. */
class RestlessVault extends KeyVault {
  private version = 1;

  get currentKeyId(): string {
    return `v${this.version}`;
  }

  async wrap(dataKey: SecretBytes): Promise<WrappedKey> {
    return { keyId: this.currentKeyId, bytes: Buffer.from(dataKey.expose()) };
  }

  async unwrap({ bytes }: WrappedKey): Promise<SecretBytes> {
    this.version++;
    return SecretBytes.from(Buffer.from(bytes));
  }

  async rewrap({ bytes }: WrappedKey): Promise<WrappedKey> {
    return { keyId: this.currentKeyId, bytes };
  }

  async retireOlderKeys(): Promise<string> {
    return '';
  }
}

const ROW = { environmentId: 'environment', userId: 'user', id: 'row', masterKeyId: 'v1' };

/** Rewraps one row. @returns the key that the row names, and the one that its secret is under */
async function rewrap(
  column: 'sealedCredential' | 'sealedSecret',
  context: SealContext,
  tableOf: (rows: never, parts: { envelope: Envelope; vault: KeyVault }) => SealedBackups | SealedWalletSecrets,
): Promise<{ named: string; own: string }> {
  const vault = new RestlessVault();
  const envelope = new Envelope(vault);
  const sealed = await envelope.seal(Buffer.from('secret'), context);
  const row: Record<string, unknown> = { ...ROW, [column]: sealed };
  (await envelope.open(sealed, context)).wipe();
  const written: Record<string, unknown>[] = [];
  const rows = {
    listOutdated: async () => [row],
    replace: async ([one]: { is: Record<string, unknown> }[]) => written.push(one!.is),
  };
  await tableOf(rows as never, { envelope, vault }).rewrapBatch(1);
  const [{ masterKeyId, [column]: own } = {}] = written;
  return { named: String(masterKeyId), own: envelope.keyIdOf(own as Buffer) };
}

it.each([
  [
    'a copy of shares',
    () =>
      rewrap('sealedCredential', backupContext(ROW), (rows, { envelope, vault }) => {
        return new SealedBackups(rows, envelope, vault, new SealedRecordsRegistry());
      }),
  ],
  [
    'what opens one',
    () =>
      rewrap('sealedSecret', walletSecretContext(ROW), (rows, { envelope, vault }) => {
        return new SealedWalletSecrets(rows, envelope, vault, new SealedRecordsRegistry());
      }),
  ],
])('%s names the key that it is under, even if there is a newer one by then', async (_what, rewrapped) => {
  const { named, own } = await rewrapped();
  expect([named, own]).toEqual(['v2', 'v2']);
});
