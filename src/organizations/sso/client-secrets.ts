import { Injectable } from '@nestjs/common';
import { Envelope, type SealContext, type SecretBytes } from '../../vault/index.js';
import type { SsoProviderRow } from './sso-provider.entity.js';

/** The row that contains a sealed secret. */
export type SecretHolder = Pick<SsoProviderRow, 'organizationId' | 'id'>;
export type SealedSecret = Pick<SsoProviderRow, 'sealedClientSecret' | 'masterKeyId'>;

/** The tenant of this secret is the organization, so its id takes the place of the environment id. */
const contextOf = ({ organizationId, id }: SecretHolder): SealContext => ({
  purpose: 'sso-provider',
  environmentId: organizationId,
  subjectId: id,
  kind: 'client-secret',
});

/** Client secrets of identity providers at rest. */
@Injectable()
export class ClientSecrets {
  constructor(private readonly envelope: Envelope) {}

  async seal(secret: string, holder: SecretHolder): Promise<SealedSecret> {
    return this.described(await this.envelope.seal(Buffer.from(secret), contextOf(holder)));
  }

  /** The caller wipes it. */
  open(row: SecretHolder & Pick<SealedSecret, 'sealedClientSecret'>): Promise<SecretBytes> {
    return this.envelope.open(row.sealedClientSecret, contextOf(row));
  }

  /** Re-seals the same secret under the current vault key. */
  async rewrap(row: SecretHolder & Pick<SealedSecret, 'sealedClientSecret'>): Promise<SealedSecret> {
    return this.described(
      (await this.envelope.rewrap(row.sealedClientSecret, contextOf(row))) ?? row.sealedClientSecret,
    );
  }

  private described(sealedClientSecret: Buffer): SealedSecret {
    return { sealedClientSecret, masterKeyId: this.envelope.keyIdOf(sealedClientSecret) };
  }
}
