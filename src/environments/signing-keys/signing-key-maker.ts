import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import { Envelope, type SealContext } from '../../vault/index.js';
import { RsaKeyPairs } from './rsa-key-pairs.js';

/** A key ready to be stored: the private key is sealed for its environment and key id. */
export interface NewSigningKey {
  id: string;
  publicKey: string;
  sealedPrivateKey: Buffer;
  masterKeyId: string;
}

export const sealContextOf = (environmentId: string, keyId: string): SealContext => ({
  purpose: 'signing-key',
  environmentId,
  subjectId: keyId,
  kind: 'rsa-private',
});

@Injectable()
export class SigningKeyMaker {
  constructor(
    private readonly envelope: Envelope,
    private readonly pairs: RsaKeyPairs,
  ) {}

  async make(environmentId: EnvironmentId): Promise<NewSigningKey> {
    const id = newId();
    const { publicKey, privateKey } = await this.pairs.make();
    try {
      const sealedPrivateKey = await this.envelope.seal(privateKey, sealContextOf(environmentId, id));
      return { id, publicKey, sealedPrivateKey, masterKeyId: this.envelope.keyIdOf(sealedPrivateKey) };
    } finally {
      privateKey.wipe();
    }
  }
}
