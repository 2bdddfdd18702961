import { Injectable } from '@nestjs/common';
import { Envelope, type SealContext, type SecretBytes } from '../../vault/index.js';
import type { ProviderRow } from './provider.entity.js';

export type SecretHolder = Pick<ProviderRow, 'environmentId' | 'id'>;

/** A row with its secret, as the columns hold it. */
export interface SealedSecret {
  sealedSecret: Buffer;
  masterKeyId: string;
}

/** The row is part of what is authenticated: a secret that is copied to another row does not open there. */
export const providerSecretContext = ({ environmentId, id }: SecretHolder): SealContext => ({
  purpose: 'provider',
  environmentId,
  subjectId: id,
  kind: 'client-secret',
});

/** Secrets of providers at rest. */
@Injectable()
export class ProviderSecrets {
  constructor(private readonly envelope: Envelope) {}

  async seal(secret: string, holder: SecretHolder): Promise<SealedSecret> {
    return this.described(await this.envelope.seal(Buffer.from(secret), providerSecretContext(holder)));
  }

  /** The caller wipes it. */
  open(holder: SecretHolder, sealed: Buffer): Promise<SecretBytes> {
    return this.envelope.open(sealed, providerSecretContext(holder));
  }

  /** The same secret under the current key of the vault. */
  async rewrap(row: SecretHolder & SealedSecret): Promise<SealedSecret> {
    return this.described(
      (await this.envelope.rewrap(row.sealedSecret, providerSecretContext(row))) ?? row.sealedSecret,
    );
  }

  private described(sealedSecret: Buffer): SealedSecret {
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }
}
