import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { Envelope, SecretBytes } from '../../vault/index.js';
import { walletSecretContext } from './sealed-wallet-secrets.js';
import type { WalletSecret, WalletSecretKind } from './wallet-secret.entity.js';
import type { NewWalletSecret } from './wallet-secrets.repository.js';

const SECRET_BYTES = 32;

interface Owner {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
}

/** Makes, seals and opens wallet secrets. Never used inside a transaction, since the vault may be a remote machine. */
@Injectable()
export class SecretSealing {
  constructor(private readonly envelope: Envelope) {}

  /** @returns the row, and the secret itself, which the caller wipes */
  async make(owner: Owner, kind: WalletSecretKind): Promise<{ row: NewWalletSecret; secret: SecretBytes }> {
    const id = newId();
    const secret = SecretBytes.random(SECRET_BYTES);
    try {
      const sealedSecret = await this.envelope.seal(secret, walletSecretContext({ ...owner, id }));
      return { row: { id, kind, sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) }, secret };
    } catch (error) {
      secret.wipe();
      throw error;
    }
  }

  /** As base64url. */
  async open(owner: Owner, { id, sealedSecret }: Pick<WalletSecret, 'id' | 'sealedSecret'>): Promise<string> {
    const bytes = await this.envelope.open(sealedSecret, walletSecretContext({ ...owner, id }));
    try {
      return bytes.expose().toString('base64url');
    } finally {
      bytes.wipe();
    }
  }
}
