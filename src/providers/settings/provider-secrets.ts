import { Injectable } from '@nestjs/common';
import { Envelope, type SealContext, type SecretBytes } from '../../vault/index.js';
import type { ProviderRow } from './provider.entity.js';

export type SecretHolder = Pick<ProviderRow, 'environmentId' | 'id'>;

/** A row with its sealed secret, as stored. */
export interface SealedSecret {
  sealedSecret: Buffer;
  masterKeyId: string;
}

/** The row is authenticated too: a secret copied to another row cannot be unsealed there. */
export const providerSecretContext = ({ environmentId, id }: SecretHolder): SealContext => ({
  purpose: 'provider',
  environmentId,
  subjectId: id,
  kind: 'client-secret',
});

/** Provider secrets at rest. */
@Injectable()
export class ProviderSecrets {
  constructor(private readonly envelope: Envelope) {}

  async seal(secret: string, holder: SecretHolder): Promise<SealedSecret> {
    return this.described(await this.envelope.seal(Buffer.from(secret), providerSecretContext(holder)));
  }

  /** The caller must wipe it. */
  open(holder: SecretHolder, sealed: Buffer): Promise<SecretBytes> {
    return this.envelope.open(sealed, providerSecretContext(holder));
  }

  /** Re-seals the same secret under the current vault key. */
  async rewrap(row: SecretHolder & SealedSecret): Promise<SealedSecret> {
    return this.described(
      (await this.envelope.rewrap(row.sealedSecret, providerSecretContext(row))) ?? row.sealedSecret,
    );
  }

  private described(sealedSecret: Buffer): SealedSecret {
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }
}
