import { Injectable } from '@nestjs/common';
import { bytesToHex, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts';
import { Envelope, type SealContext } from '../../vault/index.js';
import type { NameServiceRow } from './name-service.entity.js';

type Owner = Pick<NameServiceRow, 'environmentId' | 'id'>;
export type SignerColumns = Pick<NameServiceRow, 'signerAddress' | 'sealedKey' | 'masterKeyId'>;

/** A key can be unsealed for its own name service only. */
export const nameKeyContext = ({ environmentId, id }: Owner): SealContext => ({
  purpose: 'name-service',
  environmentId,
  subjectId: id,
  kind: 'signing-key',
});

/** Keys that sign the gateway's answers: in plaintext only while used, sealed otherwise. */
@Injectable()
export class NameSignerKeys {
  constructor(private readonly envelope: Envelope) {}

  async make(owner: Owner): Promise<SignerColumns> {
    const key = generatePrivateKey();
    const sealedKey = await this.envelope.seal(Buffer.from(key.slice(2), 'hex'), nameKeyContext(owner));
    return { signerAddress: privateKeyToAddress(key), sealedKey, masterKeyId: this.envelope.keyIdOf(sealedKey) };
  }

  async sign(owner: Owner & { sealedKey: Buffer }, hash: Hex): Promise<Hex> {
    const bytes = await this.envelope.open(owner.sealedKey, nameKeyContext(owner));
    try {
      return await sign({ hash, privateKey: bytesToHex(bytes.expose()), to: 'hex' });
    } finally {
      bytes.wipe();
    }
  }

  async rewrap(owner: Owner & { sealedKey: Buffer }): Promise<Pick<SignerColumns, 'sealedKey' | 'masterKeyId'>> {
    const sealedKey = (await this.envelope.rewrap(owner.sealedKey, nameKeyContext(owner))) ?? owner.sealedKey;
    return { sealedKey, masterKeyId: this.envelope.keyIdOf(sealedKey) };
  }
}
